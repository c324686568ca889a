import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { settleEnv } from '#lib/env.ts'
import { authSecret } from '../accounts/auth.ts'
import { ledgerKey } from './ledger-heads.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Creates the secrets of a host with its own data folder. */
function hostSecrets(host: string, secretsDir?: string) {
  const dataDir = join(folder, host)
  process.env.PROOFBOARD_DATA_DIR = dataDir
  process.env.PROOFBOARD_SECRETS_DIR = secretsDir ?? ''
  settleEnv(process.cwd())
  const secrets = { session: authSecret(), ledger: ledgerKey(dataDir).keyId }
  return { ...secrets, isInData: existsSync(join(dataDir, 'ledger-key')) }
}

describe('PROOFBOARD_SECRETS_DIR', () => {
  it('gives hosts with data folders of their own the same keys', () => {
    const shared = join(folder, 'secrets')
    const [one, two] = [hostSecrets('one', shared), hostSecrets('two', shared)]
    expect(two).toEqual(one)
    expect(one.isInData).toBe(false)
    // Another data folder, such as an example board's, has its own key.
    expect(ledgerKey(join(folder, 'example')).keyId).not.toBe(one.ledger)
  })

  it('is the data folder by default', () => {
    const [three, four] = [hostSecrets('three'), hostSecrets('four')]
    expect(three.isInData).toBe(true)
    expect(four.session).not.toBe(three.session)
    expect(four.ledger).not.toBe(three.ledger)
  })
})
