import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes a tar file of a root file system with musl and busybox, from this distribution's packages, and passes its path to
 * `use`. Throws an Error if the packages cannot be fetched.
 */
export function withMuslTree(use: (file: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-musl-'))
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    run('apt-get', 'download', 'musl', 'busybox-static')
    const root = join(folder, 'root')
    for (const name of readdirSync(folder).filter((name) => name.endsWith('.deb')))
      run('dpkg-deb', '--extract', name, root)
    symlinkSync('busybox', join(root, 'bin', 'sh'))
    run('tar', '-C', root, '-cf', 'root.tar', '.')
    use(join(folder, 'root.tar'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
