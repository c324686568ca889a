import { expect, it } from 'vitest'
import { formatVoucher, voucherOfActor, voucherSchema } from './voucher.ts'

const token = { kind: 'token' as const, id: 'tok_1', name: 'nightly', scopes: [] }
const workflow = {
  kind: 'workflow' as const,
  id: 'https://token.actions.githubusercontent.com 4711',
  name: 'acme/bench run 9',
}
const admin = { kind: 'user' as const, id: 'u1', name: 'a@b.example', role: 'admin' as const }

it('names a sender by its permanent id, and none for results of this server', () => {
  const vouchers = [
    voucherOfActor(token, 'token'),
    voucherOfActor(workflow, 'oidc'),
    voucherOfActor(admin, 'manual'),
  ]
  expect(vouchers).toEqual([
    'token:tok_1',
    'workflow:https://token.actions.githubusercontent.com 4711',
    'manual',
  ])
  for (const voucher of vouchers) expect(voucherSchema.parse(voucher)).toBe(voucher)
  expect(voucherOfActor(token, 'local')).toBeNull()
  expect(vouchers.map((voucher) => formatVoucher(voucher as string))).toEqual([
    'upload token tok_1',
    'workflow of repository 4711',
    'manual upload',
  ])
})
