import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lacking } from '#lib/testing/needs.ts'
import { seccompFilter } from './seccomp-filter.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const { status } = spawnSync('sh', ['-c', 'command -v perl'])
const tags = { tags: 'bubblewrap', ...lacking(status === 0 ? null : 'perl') } as const

/** Syscall numbers of posix_fadvise and preadv2. */
const CALLS: Readonly<Record<string, [number, number]>> = { x64: [221, 327], arm64: [223, 286] }
const [ADVICE, PREADV2] = CALLS[process.arch] ?? [221, 327]

describe('the filter of a sandbox', tags, () => {
  it.each([
    // The file descriptor is invalid, so calls that reach the kernel fail with EBADF (9).
    ['ignores advice about the page cache', `${ADVICE}, 999, 0, 0, 4`, '0 0'],
    ['reads nothing only if it is in memory', `${PREADV2}, 999, 0, 0, 0, 0, 8`, '-1 95'],
    ['reads all the same', `${PREADV2}, 999, 0, 0, 0, 0, 0`, '-1 9'],
    ['does not count cached pages', '451, 999, 0, 0, 0', '-1 38'],
    ['has no io_uring', '425, 1, 0', '-1 38'],
  ])('%s', (_, call, answer) => {
    const filter = join(root, 'filter')
    writeFileSync(filter, seccompFilter())
    const perl = `my $found = syscall(${call}); printf "%d %d", $found, $found == -1 ? $! : 0`
    const start = 'exec bwrap --seccomp 4 --ro-bind / / --dev /dev -- perl -e "$1" 4<"$0"'
    const { stdout } = spawnSync('sh', ['-c', start, filter, perl], { encoding: 'utf8' })
    expect(stdout).toBe(answer)
  })
})
