/** Images for tests, written by real encoders: one color, in every supported format. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'

import encodeJpegPixels, { init as initJpeg } from '@jsquash/jpeg/encode.js'
import decodeWebpPixels, { init as initWebpDecoder } from '@jsquash/webp/decode.js'
import encodeWebpPixels, { init as initWebp } from '@jsquash/webp/encode.js'

/** Red, green, blue, alpha. */
export type Color = readonly [number, number, number, number]

export interface Size {
  readonly width: number
  readonly height: number
}

declare const WebAssembly: { readonly compile: (bytes: Uint8Array) => Promise<object> }

/** A PNG; `chunks` precede the pixels. */
export function drawPng({ width, height }: Size, color: Color, chunks: readonly Buffer[] = []): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 4, Buffer.from(color))])
  const pixels = deflateSync(Buffer.alloc(row.length * height, row))
  return Buffer.concat([pngStart({ width, height }), ...chunks, pngChunk('IDAT', pixels), pngChunk('IEND', '')])
}

/** Signature and header of a PNG of this size. */
export function pngStart({ width, height }: Size): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), pngChunk('IHDR', header)])
}

/** One chunk, with its length and checksum. */
export function pngChunk(type: string, content: Buffer | string): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(content)])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A JPEG; `segments` follow its start. */
export async function drawJpeg(size: Size, color: Color, segments: readonly Buffer[] = []): Promise<Buffer> {
  await initJpeg(await compile('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))
  const encoded = Buffer.from(await encodeJpegPixels(field(size, color), { quality: 95 }))
  return Buffer.concat([encoded.subarray(0, 2), ...segments, encoded.subarray(2)])
}

/** One segment of a JPEG, `marker` being the byte after FF. */
export function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** A WebP without an extended header. */
export async function drawWebp(size: Size, color: Color): Promise<Buffer> {
  await initWebp(await compile('@jsquash/webp/codec/enc/webp_enc_simd.wasm'))
  return Buffer.from(await encodeWebpPixels(field(size, color), { quality: 95 }))
}

/** Size of a WebP image and its color in the center. */
export async function decodeWebp(bytes: Uint8Array<ArrayBuffer>): Promise<Size & { readonly color: number[] }> {
  await initWebpDecoder(await compile('@jsquash/webp/codec/dec/webp_dec.wasm'))
  const { width, height, data } = await decodeWebpPixels(bytes.buffer)
  const middle = ((height >> 1) * width + (width >> 1)) * 4
  return { width, height, color: Array.from(data.subarray(middle, middle + 4)) }
}

function field({ width, height }: Size, color: Color) {
  return {
    width,
    height,
    colorSpace: 'srgb' as const,
    data: new Uint8ClampedArray(Buffer.alloc(width * height * 4, Buffer.from(color))),
  }
}

async function compile(file: string): Promise<object> {
  return WebAssembly.compile(new Uint8Array(await readFile(fileURLToPath(import.meta.resolve(file)))))
}
