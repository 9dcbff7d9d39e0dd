import type { HostileCase } from '../hostile-case.ts'
import { CONTROL_CASES } from './controls.ts'
import { EXECUTE_CASES } from './execute.ts'
import { LIMIT_CASES } from './limits.ts'
import { NAME_CASES } from './names.ts'
import { NATIVE_CASES } from './native.ts'
import { NETWORK_CASES } from './network.ts'
import { PARSE_CASES } from './parse.ts'
import { READ_CASES } from './read.ts'
import { RESOURCE_CASES } from './resource.ts'
import { STATE_CASES } from './state.ts'
import { VIEW_CASES } from './view.ts'
import { WRITE_CASES } from './write.ts'

/** Every document of the suite, in the order in which it is run. */
export const DOCUMENT_CASES: readonly HostileCase[] = [
  ...CONTROL_CASES,
  ...READ_CASES,
  ...WRITE_CASES,
  ...EXECUTE_CASES,
  ...NETWORK_CASES,
  ...NATIVE_CASES,
  ...VIEW_CASES,
  ...PARSE_CASES,
  ...STATE_CASES,
  ...NAME_CASES,
  ...RESOURCE_CASES,
  ...LIMIT_CASES,
]
