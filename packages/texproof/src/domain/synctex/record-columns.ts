import type { RecordTable } from './types.ts'

const FIRST_CAPACITY = 1024

/** One row of a table of records. */
export interface RecordRow {
  readonly page: number
  readonly input: number
  readonly line: number
  readonly parent: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly depth: number
}

/** A table of records that grows by doubling. */
export interface RecordColumns {
  readonly count: number
  /** Returns the index of the row. */
  add(row: RecordRow): number
  /** Returns the table without spare capacity. */
  finish(): RecordTable
}

/** Creates an empty table. */
export function createRecordColumns(): RecordColumns {
  let count = 0
  let table = allocate(FIRST_CAPACITY, own)
  return {
    get count() {
      return count
    },
    add(row) {
      if (count === table.page.length) table = resize(table, count * 2, own)
      table.page[count] = row.page
      table.input[count] = row.input
      table.line[count] = row.line
      table.parent[count] = row.parent
      table.x[count] = row.x
      table.y[count] = row.y
      table.width[count] = row.width
      table.height[count] = row.height
      table.depth[count] = row.depth
      return count++
    },
    // Shared memory, because the index is used in other threads than the one that read it.
    finish: () => ({ ...resize(table, count, shared), count }),
  }
}

type Columns = Omit<RecordTable, 'count'>

/** Allocates the memory of a column. */
type MakeBuffer = (bytes: number) => ArrayBuffer | SharedArrayBuffer

const own: MakeBuffer = (bytes) => new ArrayBuffer(bytes)
const shared: MakeBuffer = (bytes) => new SharedArrayBuffer(bytes)

function allocate(capacity: number, make: MakeBuffer): Columns {
  const integers = (): Int32Array => new Int32Array(make(4 * capacity))
  const lengths = (): Float32Array => new Float32Array(make(4 * capacity))
  return {
    page: integers(),
    input: integers(),
    line: integers(),
    parent: integers(),
    x: lengths(),
    y: lengths(),
    width: lengths(),
    height: lengths(),
    depth: lengths(),
  }
}

function resize(old: Columns, capacity: number, make: MakeBuffer): Columns {
  const table = allocate(capacity, make)
  const size = Math.min(capacity, old.page.length)
  table.page.set(old.page.subarray(0, size))
  table.input.set(old.input.subarray(0, size))
  table.line.set(old.line.subarray(0, size))
  table.parent.set(old.parent.subarray(0, size))
  table.x.set(old.x.subarray(0, size))
  table.y.set(old.y.subarray(0, size))
  table.width.set(old.width.subarray(0, size))
  table.height.set(old.height.subarray(0, size))
  table.depth.set(old.depth.subarray(0, size))
  return table
}
