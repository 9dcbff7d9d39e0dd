/**
 * SyncTeX data of a PDF: which boxes, and which spaces between words, come from which source line. Lengths are PDF
 * points from the top left corner of a page; pages count from 1.
 */
export interface SynctexIndex {
  /** Input number → file: relative to the project, or absolute for files of TeX. */
  readonly inputs: ReadonlyMap<number, string>
  /** Lines of text and other horizontal boxes, in the order of shipping. */
  readonly boxes: RecordTable
  /** Marks between characters, with a source line; `parent` is a row of `boxes`, or -1. */
  readonly marks: RecordTable
}

/** Stored in columns: a thesis has hundreds of thousands of rows. */
export interface RecordTable {
  readonly count: number
  readonly page: Int32Array
  readonly input: Int32Array
  readonly line: Int32Array
  readonly parent: Int32Array
  readonly x: Float32Array
  /** Baseline. */
  readonly y: Float32Array
  readonly width: Float32Array
  readonly height: Float32Array
  readonly depth: Float32Array
}

/** A source line. */
export interface SourceLine {
  readonly path: string
  readonly line: number
}

/** A region of a page. */
export interface PagePlace {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
