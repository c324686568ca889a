import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Content of a file in a commit; null = deleted, `{ link }` = a symbolic link. */
type Content = string | Buffer | null | { link: string }

/** A git repository of a test, made commit by commit, a minute apart. */
export class GitHistory {
  readonly root: string
  #minute = 0

  constructor(root: string) {
    this.root = root
    mkdirSync(root, { recursive: true })
    this.git('init', '--quiet', '--initial-branch=main')
  }

  /** Commits files and returns the commit's hash. */
  commit(message: string, files: Record<string, Content>): string {
    for (const [path, content] of Object.entries(files)) this.#write(path, content)
    this.git('add', '--all')
    this.git('commit', '--quiet', '--allow-empty', '--allow-empty-message', '--message', message)
    return this.git('rev-parse', 'HEAD')
  }

  git(...args: string[]): string {
    const date = new Date(Date.UTC(2026, 0, 1, 0, this.#minute++)).toISOString()
    const who = ['-c', 'user.name=someone', '-c', 'user.email=someone@example.org']
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
    return execFileSync('git', [...who, '-C', this.root, ...args], { env, encoding: 'utf8' }).trim()
  }

  #write(path: string, content: Content): void {
    const target = join(this.root, path)
    rmSync(target, { recursive: true, force: true })
    if (content === null) return
    mkdirSync(dirname(target), { recursive: true })
    if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(target, content)
    else symlinkSync(content.link, target)
  }
}
