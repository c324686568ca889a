// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns the folder of the newest installed PostgreSQL; null = there is none. @returns {string | null} */
export function findPrograms() {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(root, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return (
    folders.find(
      (place) => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres')),
    ) ?? null
  )
}

/**
 * Returns a plain user, because PostgreSQL refuses to run as root.
 * @returns {{ uid: number, gid: number } | null} null = this user is one
 */
export function plainUser() {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!found) throw new Error('PostgreSQL does not run as root, and there is no user "nobody"')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}
