import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const IS_ROOT = process.getuid?.() === 0
const MODULE = pathToFileURL(resolve('lib/setup/folders.mjs')).href

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-folders-'))
  chmodSync(root, 0o755)
})
afterEach(() => {
  execFileSync('chmod', ['-R', 'u+rwX', root])
  rmSync(root, { recursive: true, force: true })
})

/** Calls a function as a plain user: another one than the owner if the tests run as root, else the owner. */
function ask(call: string, env: Record<string, string> = {}): string | null {
  const become = IS_ROOT ? 'process.setgid(65534); process.setuid(65534);' : ''
  const code = `const folders = await import(${JSON.stringify(MODULE)}); ${become} console.log(JSON.stringify(folders.${call}))`
  const message = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    env: { PATH: process.env.PATH ?? '', ...env } as unknown as NodeJS.ProcessEnv,
    encoding: 'utf8',
  })
  return JSON.parse(message)
}

/** Creates a folder that only root may use, as root. */
const closed = (path: string, mode: number) =>
  IS_ROOT
    ? `${path} belongs to root, and this process runs as nobody`
    : `${path} is closed to its owner (mode 0${mode.toString(8).padStart(3, '0')})`

describe('explainDataFolder', () => {
  const told = (folder: string) => ask(`explainDataFolder(${JSON.stringify(folder)})`)
  const folder = () => join(root, 'data')

  it('is null for a folder that can be used or created', () => {
    mkdirSync(folder())
    chmodSync(root, 0o777)
    chmodSync(folder(), 0o777)
    expect(told(folder())).toBeNull()
    expect(told(join(folder(), 'new', 'below'))).toBeNull()
  })

  it('names the folder, its owner and the user where it is closed', () => {
    mkdirSync(folder())
    chmodSync(folder(), 0o500)
    expect(told(folder())).toBe(
      `the data folder ${folder()} cannot be used: ${closed(folder(), 0o500)}. Set PROOFBOARD_DATA_DIR to a folder of yours, or start as its owner`,
    )
  })

  it('names a file in it that belongs to another user, and leaves installed agents alone', () => {
    mkdirSync(join(folder(), 'agents'), { recursive: true })
    chmodSync(folder(), 0o777)
    chmodSync(join(folder(), 'agents'), 0o555)
    expect(told(folder())).toBeNull()
    const database = join(folder(), 'proofboard.db')
    writeFileSync(database, '')
    chmodSync(database, 0o400)
    expect(told(folder())).toContain(closed(database, 0o400))
  })

  it('says that a file is not a folder, and which folder above cannot be written', () => {
    writeFileSync(join(root, 'file'), '')
    expect(told(join(root, 'file'))).toContain(`${join(root, 'file')} is not a folder`)
    chmodSync(root, 0o555)
    expect(told(join(root, 'a', 'b'))).toContain(closed(root, 0o555))
  })
})

describe('explainSuites', () => {
  const told = () => ask(`explainSuites(${JSON.stringify(join(root, 'exercises'))})`)

  it.each([
    ['the folder of all suites', 'exercises'],
    ['the folder of one suite', 'exercises/typescript'],
  ])('says how to open %s again', (_, name) => {
    mkdirSync(join(root, 'exercises', 'typescript'), { recursive: true })
    for (const path of ['exercises', 'exercises/typescript']) chmodSync(join(root, path), 0o755)
    expect(told()).toBeNull()
    chmodSync(join(root, name), IS_ROOT ? 0o700 : 0)
    expect(told()).toContain(`the suites cannot be read: ${closed(join(root, name), 0)}.`)
    expect(told()).toContain(`chmod -R go+rX ${join(root, 'exercises')}`)
  })
})

describe('explainTemporaryFolder', () => {
  const told = (TMPDIR: string) => ask('explainTemporaryFolder()', { TMPDIR })

  it('names what is missing or closed, and the variable', () => {
    expect(told('/tmp')).toBeNull()
    expect(told(join(root, 'none'))).toBe(
      `there is no usable temporary folder: ${join(root, 'none')} does not exist. Set TMPDIR to a folder that you can write to, or unset it`,
    )
    chmodSync(root, 0o555)
    expect(told(root)).toContain(closed(root, 0o555))
  })
})
