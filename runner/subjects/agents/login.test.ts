import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type AgentDefinition, agentDefinitionSchema } from '#lib/domain/runs/index.ts'
import { hasLogin, openLogin, startLogin } from './login.ts'

const TOKEN = 'subscriber-token-5d1f0c7a'
const login = agentDefinitionSchema.shape.login.unwrap()

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-login-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const own = () => ({ PROOFBOARD_DATA_DIR: join(root, 'data'), PATH: process.env.PATH })

function agent(baseUrl = 'https://vendor.example'): Pick<AgentDefinition, 'name' | 'login'> {
  const header = { file: 'auth.json', member: 'token', before: 'Bearer ' }
  const gateway = { protocol: 'anthropic', baseUrl, headers: { authorization: header } }
  const told = { title: 'Echo Plus', argv: ['login'], keeps: ['auth.json'], provider: 'anthropic' }
  return { name: 'echo', login: login.parse({ ...told, gateway, setup: {} }) }
}

/** Creates a program whose login runs the shell script in its HOME. */
function program(script: string) {
  const binary = join(root, 'echo-agent')
  writeFileSync(binary, `#!/bin/sh\ncd "$HOME"\n${script}\n`)
  chmodSync(binary, 0o755)
  return { binary, node: null }
}

const WRITES_TOKEN = `echo '{"token":"${TOKEN}"}' > auth.json`

it('shows a login only to the agent that it was made for, not to another with the same name', async () => {
  await startLogin(agent(), program(WRITES_TOKEN), own())
  const { upstream, secrets } = openLogin(agent(), own())
  expect(upstream?.()).toMatchObject({
    baseUrl: 'https://vendor.example',
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  expect(secrets).toEqual([TOKEN])
  expect(() => openLogin(agent('https://thief.example'), own())).toThrow(
    'the login of echo was made with a definition that sends it elsewhere: proofboard agents login echo',
  )
})

it('keeps no file that a link leads to, and leaves the earlier login as it was', async () => {
  await startLogin(agent(), program(WRITES_TOKEN), own())
  const secret = join(root, 'id_rsa')
  writeFileSync(secret, 'the private key of somebody')
  symlinkSync(secret, join(root, 'link'))
  await expect(startLogin(agent(), program(`ln -s '${secret}' auth.json`), own())).rejects.toThrow(
    /^the login left auth.json, which cannot be saved \(is a link\)/,
  )
  expect(openLogin(agent(), own()).secrets).toEqual([TOKEN])
  expect(readFileSync(secret, 'utf8')).toBe('the private key of somebody')
})

it('keeps nothing where the program ends without a login', async () => {
  await expect(startLogin(agent(), program('exit 3'), own())).rejects.toThrow(
    'echo ended (exit code 3) without a login to Echo Plus: nothing was saved',
  )
  expect([hasLogin(agent(), own()), existsSync(join(root, 'data/logins/echo'))]).toEqual([
    false,
    false,
  ])
})
