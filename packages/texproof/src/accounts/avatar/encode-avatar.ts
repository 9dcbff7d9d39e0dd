/**
 * Runs in its own worker thread. Decoders and encoder are WebAssembly, so a malicious file can only corrupt their own
 * memory.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js'
import decodePng, { init as initPng } from '@jsquash/png/decode.js'
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js'
import encodeWebp, { init as initWebpEncoder } from '@jsquash/webp/encode.js'

import type { PictureFormat } from './read-picture-header.ts'
import { shrinkToSquare } from './shrink-to-square.ts'
import type { Pixels } from './shrink-to-square.ts'

/** The image to convert. */
export interface AvatarSource {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly format: PictureFormat
  /** Side of the square in pixels. */
  readonly side: number
}

const quality = 82

/** Node.js has it; the installed type declarations do not. */
declare const WebAssembly: { readonly compile: (bytes: Uint8Array) => Promise<object> }

/** The browser class in which the decoders return pixels. */
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

/** The center of the image as a small square, encoded again. */
export async function encodeAvatar({ bytes, format, side }: AvatarSource): Promise<Uint8Array<ArrayBuffer>> {
  const square = shrinkToSquare(await decode({ bytes, format }), side)
  await initWebpEncoder(await compile('@jsquash/webp/codec/enc/webp_enc_simd.wasm'))
  return new Uint8Array(await encodeWebp(square, { quality }))
}

async function decode({ bytes, format }: Pick<AvatarSource, 'bytes' | 'format'>): Promise<Pixels> {
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
