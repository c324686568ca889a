import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const TAKE = fileURLToPath(new URL('./take-keys.mjs', import.meta.url))
const SAY = `
  const { takeKeys } = await import(${JSON.stringify(TAKE)})
  const keys = takeKeys()
  const { execFileSync } = await import('node:child_process')
  const child = execFileSync(process.execPath, ['-p', 'process.env.SOME_API_KEY ?? "none"'], { encoding: 'utf8' })
  console.log(JSON.stringify({ keys, again: takeKeys() === keys, env: process.env.SOME_API_KEY ?? null, child: child.trim() }))
`

const startHolder = (env: Record<string, string>, stdio: ('pipe' | 'ignore')[]) =>
  spawn(process.execPath, ['--input-type=module', '-e', `${SAY}\nsetInterval(() => {}, 1e6)`], {
    env: { PATH: process.env.PATH ?? '', ...env } as unknown as NodeJS.ProcessEnv,
    stdio,
  })

async function firstLine(child: ReturnType<typeof startHolder>): Promise<Record<string, unknown>> {
  let message = ''
  for await (const chunk of child.stdout ?? []) {
    message += String(chunk)
    if (message.includes('\n')) break
  }
  return JSON.parse(message)
}

it('moves keys from the environment into memory, where no child finds them', async () => {
  const holder = startHolder({ SOME_API_KEY: 'sk-planted-4711', OTHER: 'kept' }, ['ignore', 'pipe'])
  try {
    expect(await firstLine(holder)).toEqual({
      keys: { SOME_API_KEY: 'sk-planted-4711' },
      again: true,
      env: null,
      child: 'none',
    })
  } finally {
    holder.kill('SIGKILL')
  }
})

it('reads keys from a pipe once, and takes nothing else for a key', async () => {
  const holder = startHolder({ PROOFBOARD_KEYS_FD: '3' }, ['ignore', 'pipe', 'ignore', 'pipe'])
  const pipe = holder.stdio[3] as NodeJS.WritableStream
  pipe.end(JSON.stringify({ SOME_API_KEY: 'sk-piped', PATH: '/evil', EMPTY_API_KEY: '' }))
  try {
    expect(await firstLine(holder)).toMatchObject({ keys: { SOME_API_KEY: 'sk-piped' }, env: null })
    if (process.platform !== 'linux') return
    expect(readFileSync(`/proc/${holder.pid}/environ`, 'latin1')).not.toContain('sk-piped')
  } finally {
    holder.kill('SIGKILL')
  }
})

it('reports which keys exist where only their names were passed, and works without any', () => {
  const ask = (env: Record<string, string>) =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', SAY], {
        env: { PATH: process.env.PATH ?? '', ...env } as unknown as NodeJS.ProcessEnv,
        encoding: 'utf8',
      }),
    ).keys
  expect(ask({ PROOFBOARD_KEY_NAMES: 'SOME_API_KEY,PATH' })).toEqual({
    SOME_API_KEY: 'held by the worker',
  })
  expect(ask({ PROOFBOARD_KEYS_FD: '9' })).toEqual({})
  expect(ask({ PROOFBOARD_PROVIDERS: '/dev/zero' })).toEqual({})
  expect(ask({})).toEqual({})
})

it('takes what files of providers name for keys too, and tells which variables are part of an address', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-keys-'))
  const file = join(folder, 'providers.yaml')
  writeFileSync(
    file,
    `providers:
  acme: # not OLD_TOKEN
    keys:
      - ACME_SECRET
    protocols: { openai-chat: { baseUrl: "https://\${ACME_HOST:-x.example}/v1" } }
`,
  )
  const script = `
    const { takeKeys } = await import(${JSON.stringify(TAKE)})
    const keys = takeKeys()
    const places = globalThis[Symbol.for('proofboard.provider-places')]
    const left = ['ACME_SECRET', 'ACME_HOST', 'OLD_TOKEN', 'PROOFBOARD_TOKEN'].filter((name) => process.env[name])
    console.log(JSON.stringify({ keys, left, acme: places.includes('ACME_HOST'), aws: places.includes('AWS_REGION') }))
  `
  try {
    const env = { ACME_SECRET: 's-1', GITHUB_TOKEN: 's-2', ACME_HOST: 'h', OLD_TOKEN: 'o' }
    const message = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: {
        PATH: process.env.PATH ?? '',
        PROOFBOARD_PROVIDERS: file,
        PROOFBOARD_TOKEN: 't',
        ...env,
      } as unknown as NodeJS.ProcessEnv,
      encoding: 'utf8',
    })
    expect(JSON.parse(message)).toEqual({
      keys: { ACME_SECRET: 's-1', GITHUB_TOKEN: 's-2' },
      left: ['ACME_HOST', 'OLD_TOKEN', 'PROOFBOARD_TOKEN'],
      acme: true,
      aws: true,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
