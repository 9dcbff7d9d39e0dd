import { Option } from 'commander'

/** `--data DIR`, the same for every command that works on a host. */
export function dataOption(): Option {
  return new Option('--data <dir>', 'data directory (default: $TEXPROOF_DATA_DIR or ./texproof-data)')
}
