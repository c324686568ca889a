import { closeSync, openSync, readSync } from 'node:fs'

/** Instructions for a list of SWE-bench instances, as the end of a sentence. */
export const SWE_BENCH_LIST =
  'it is a list of SWE-bench instances, which are not read, because they do not say how tests are run: write a task.yaml for each (base_commit is its source, patch its solution, the files of test_patch its tests), or make tasks of the repository’s own history with "proofboard tasks mine <git URL>"'

/** Members of an instance, in SWE-bench and its successors (Multilingual, Multi-SWE-bench, SWE-smith). */
const MEMBERS = ['instance_id', 'base_commit', 'test_patch', 'fix_patch', 'FAIL_TO_PASS'] as const
const HEAD_BYTES = 1 << 20

/** Returns whether a file, JSON or JSON Lines, is a list of SWE-bench instances. */
export function isSweBenchList(file: string): boolean {
  const head = readHead(file)
  return MEMBERS.filter((name) => head.includes(`"${name}"`)).length > 1
}

function readHead(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    return head.toString('utf8', 0, readSync(handle, head, 0, HEAD_BYTES, 0))
  } finally {
    closeSync(handle)
  }
}
