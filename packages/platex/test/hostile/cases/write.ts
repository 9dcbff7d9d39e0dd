import { article, luaRequest } from '../documents.ts'
import type { HostileCase } from '../hostile-case.ts'

const writeTo = (path: string) =>
  article(String.raw`\newwrite\f\immediate\openout\f=${path} \immediate\write\f{written}\immediate\closeout\f x`)

/** Attempts to write or remove files of the host. */
export const WRITE_CASES: readonly HostileCase[] = [
  { name: 'write-openout-absolute', request: { source: writeTo('<DROP>/tex') }, isQuick: true },
  { name: 'write-openout-over-file', request: { source: writeTo('<OPEN>') }, isQuick: true },
  { name: 'write-openout-dots', request: { source: writeTo('../../../../../../../..<DROP>/dots') } },
  { name: 'write-openout-xelatex', request: { source: writeTo('<DROP>/xetex'), engine: 'xelatex' } },
  {
    name: 'write-lua-file',
    request: luaRequest('local f = io.open("<DROP>/lua", "w") f:write("x") f:close()'),
    isQuick: true,
  },
  { name: 'write-lua-over-file', request: luaRequest('local f = io.open("<OPEN>", "w") f:write("x") f:close()') },
  { name: 'write-lua-remove', request: luaRequest('os.remove("<OPEN>") os.rename("<OPEN>", "<DROP>/moved")') },
  {
    name: 'write-lua-through-link',
    request: luaRequest('lfs.link("<OPEN>", "out.txt", true) local f = io.open("out.txt", "w") f:write("x") f:close()'),
  },
].map((attack) => ({ ...attack, outcome: 'contained' }) as HostileCase)
