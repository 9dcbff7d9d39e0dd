/**
 * Runs in a thread of its own: one picture, then the thread ends and its memory with it. Decoders and encoder are
 * WebAssembly, so what a crafted file does to them it does to their own memory alone. Started by `make-avatar.ts` alone.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js'
import decodePng, { init as initPng } from '@jsquash/png/decode.js'
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js'
import encodeWebp, { init as initWebpEncoder } from '@jsquash/webp/encode.js'

import type { PictureFormat } from './read-picture-header.ts'
import { shrinkToSquare } from './shrink-to-square.ts'
import type { Pixels } from './shrink-to-square.ts'

/** What the thread is started with. */
export interface AvatarJob {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly format: PictureFormat
  /** Pixels of the square. */
  readonly side: number
}

const quality = 82

/** Node has it; the types of Node that stand here do not. */
declare const WebAssembly: { readonly compile: (bytes: Uint8Array) => Promise<object> }

/** The class of browsers that the decoders hand their pixels out in. */
class PixelData implements Pixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}
Object.assign(globalThis, { ImageData: PixelData })

const { bytes, format, side } = workerData as AvatarJob
const square = shrinkToSquare(await decode(), side)
await initWebpEncoder(await compile('@jsquash/webp/codec/enc/webp_enc_simd.wasm'))
const encoded = await encodeWebp(square, { quality })
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
parentPort?.postMessage(new Uint8Array(encoded))

async function decode(): Promise<Pixels> {
  switch (format) {
    case 'jpeg':
      await initJpeg(await compile('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'))
      return decodeJpeg(bytes.buffer, { preserveOrientation: true })
    case 'png':
      await initPng(await compile('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
      return decodePng(bytes.buffer)
    case 'webp':
      await initWebp(await compile('@jsquash/webp/codec/dec/webp_dec.wasm'))
      return decodeWebp(bytes.buffer)
  }
}

async function compile(file: string): Promise<object> {
  return WebAssembly.compile(new Uint8Array(await readFile(fileURLToPath(import.meta.resolve(file)))))
}
