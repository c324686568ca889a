import { expect, it } from 'vitest'
import { isEcho } from './is-echo.ts'
import { createTenants } from './tenants.ts'

const ORDER = { app: 'admin', tenant: 'one', seed: 1 }
const POST = ['POST', '/api/customers/C-1/notes'] as const

function open(kind: string) {
  const tenant = createTenants().open({ ...ORDER, fault: { kind, at: POST.join(' ') } }, 80)
  if (typeof tenant === 'string') throw new Error(tenant)
  return tenant
}

it('knows the lost request when the browser sends it again at once', () => {
  const tenant = open('lost-response')
  tenant.see(...POST)
  expect(isEcho(tenant, ...POST)).toBe(false)
  tenant.fault?.fire('lost')
  tenant.see(...POST)
  expect(isEcho(tenant, ...POST)).toBe(true)
})

it('takes the same request for a new one when something else was asked for between', () => {
  const tenant = open('lost-response')
  tenant.see(...POST)
  tenant.fault?.fire('lost')
  tenant.see('GET', '/customers').status = 200
  tenant.see(...POST)
  expect(isEcho(tenant, ...POST)).toBe(false)
})

it('loses nothing for another fault', () => {
  const tenant = open('stall')
  tenant.see(...POST)
  tenant.fault?.fire('held')
  tenant.see(...POST)
  expect(isEcho(tenant, ...POST)).toBe(false)
})
