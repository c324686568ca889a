import { randomBytes } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Returns the text of a file that is created at its first use, readable only by its owner. The file gets its name once
 * it is complete and on the disk: of several processes that start at once, the first one's text stays, and none reads a
 * part of it. Throws when the folder cannot be written.
 */
export function createOnce(file: string, make: () => string): string {
  if (!existsSync(file)) publish(file, make())
  return readFileSync(file, 'utf8')
}

function publish(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true })
    nameOnce(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * Links the draft to its name: a link never replaces a file. Without links (exFAT, some network disks) two processes
 * that start at once may still race.
 */
function nameOnce(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (!NO_LINKS.has(code)) throw error
    if (!existsSync(file)) renameSync(draft, file)
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
