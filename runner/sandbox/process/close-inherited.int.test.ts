import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const CLI = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'cli', 'proofboard.mjs')

it.runIf(process.platform === 'linux')(
  'hands no file on to the subject that somebody left open for the runner',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
    try {
      const words = ['--suite', 'typescript', '--tasks', 'lru-cache', '--out', join(root, 'out')]
      // High up, where node's own start does not look. Only bash knows such numbers.
      const script = 'exec 60>"$0"; ls /proc/$$/fd | grep -x 60; exec "$@"'
      const command = 'echo seen: $(ls /proc/self/fd)'
      const child = spawn(
        'bash',
        [
          '-c',
          script,
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
  },
)
