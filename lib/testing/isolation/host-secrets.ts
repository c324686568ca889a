import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

export type HostSecrets = {
  word: string
  /** Files of this machine that no subject should read, by what they stand for. */
  files: Record<string, string>
  remove: () => void
}

/** Plants a word where a curious subject would look: the home, the data folder, another attempt, our environment. */
export function plantSecrets(): HostSecrets {
  const word = `secret${Math.random().toString(36).slice(2)}`
  const home = mkdtempSync(join(homedir(), '.proofboard-test-'))
  const data = mkdtempSync(join(tmpdir(), 'proofboard-test-data-'))
  const other = join(data, 'proofboard-other', 'episode-1', 'two-sum')
  mkdirSync(other, { recursive: true })
  const files = {
    home: join(home, 'key'),
    data: join(data, 'proofboard.db'),
    otherWorkspace: join(other, 'solution.ts'),
  }
  for (const path of Object.values(files)) writeFileSync(path, `${word}\n`)
  process.env.PROOFBOARD_TEST_SECRET = word
  return {
    word,
    files: {
      ...files,
      reference: join(ROOT, 'exercises', 'typescript', 'lru-cache', '.meta', 'reference.ts'),
    },
    remove: () => {
      delete process.env.PROOFBOARD_TEST_SECRET
      for (const path of [home, data]) rmSync(path, { recursive: true, force: true })
    },
  }
}
