import { jsonResponse } from './wire/json-response.ts'
import type { ServiceRequest } from './answer.ts'

/** `GET /health`: alive, without a key and without a compile; 503 from the moment the service drains. */
export function answerHealth({ service }: ServiceRequest): Response {
  if (service.shutdown.isDraining()) return jsonResponse('{"status":"draining"}', 503)
  return jsonResponse('{"status":"ok"}', 200)
}
