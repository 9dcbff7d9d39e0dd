/** Where a seed keeps the memory of tools; never a file of the workspace. */
export const MEMORY_NAME = '.platex-tools.json'
