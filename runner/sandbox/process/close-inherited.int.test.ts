import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'

const CLI = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'cli', 'proofboard.mjs')

/** A high number, above those that node checks at start. Only bash supports it. */
const LEAVE_OPEN = 'exec 60>"$0"; ls /proc/$$/fd | grep -x 60; exec "$@"'

describe('a runner', { tags: 'linux' }, () => {
  it('closes a file that was left open', () => {
    const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
    try {
      const source = readFileSync(new URL('close-inherited.ts', import.meta.url), 'utf8')
      const { code } = transformSync(source, { loader: 'ts' })
      const program = join(root, 'program.mjs')
      const look = "spawnSync('ls', ['/proc/self/fd'], { stdio: 'inherit' })"
      const own = `import { spawnSync } from 'node:child_process'\n${code}`
      writeFileSync(program, `${own}\n${look}\ncloseInherited()\n${look}\n`)
      const words = ['-c', LEAVE_OPEN, join(root, 'leak'), process.execPath, program]
      const seen = execFileSync('bash', words, { stdio: ['ignore', 'pipe', 'inherit'] })
      expect(seen.toString()).toMatch(/^60\n(\d+\n)+60\n(\d\n)+$/)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  it('passes no file on to the subject that was left open for the runner', {
    tags: 'night',
  }, async () => {
    const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
    try {
      const words = ['--suite', 'typescript', '--tasks', 'lru-cache', '--out', join(root, 'out')]
      const command = 'echo seen: $(ls /proc/self/fd)'
      const child = spawn(
        'bash',
        [
          '-c',
          LEAVE_OPEN,
          join(root, 'leak'),
          process.execPath,
          CLI,
          'run',
          ...words,
          '--isolation',
          'local',
          '--command',
          command,
        ],
        { stdio: ['ignore', 'pipe', 'ignore'] },
      )
      let stdout = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
      await new Promise((resolve) => child.once('close', resolve))
      expect(stdout).toMatch(/^60\n/)
      const log = join(root, 'out', 'episodes', 'lru-cache', 'r1-a1', 'subject.log')
      expect(readFileSync(log, 'utf8')).toMatch(/^seen: 0 1 2 \d\s*$/)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})
