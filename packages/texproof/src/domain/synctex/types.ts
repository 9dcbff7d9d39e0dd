/**
 * What SyncTeX knows of a PDF: on every page, which boxes and which spaces between words come from which line of which
 * file. Lengths are PDF points from the top left corner of a page; pages count from 1.
 */
export interface SynctexIndex {
  /** Input number → file as it was read: relative to the project, absolute for files of TeX itself. */
  readonly inputs: ReadonlyMap<number, string>
  /** Lines of text and other horizontal boxes, in the order they were shipped. */
  readonly boxes: RecordTable
  /** Places between letters that carry a line of the source; `parent` is a row of `boxes`, -1 without one. */
  readonly marks: RecordTable
}

/** Rows in columns: a thesis has hundreds of thousands. */
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

/** A line of the source. */
export interface SourceLine {
  readonly path: string
  readonly line: number
}

/** A stretch of a page, for a reader to look at. */
export interface PagePlace {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
