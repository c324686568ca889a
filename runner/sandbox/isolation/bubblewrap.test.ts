import { describe, expect, it } from 'vitest'
import { explainFailure } from './bubblewrap.ts'

const switches = (values: Record<string, string>) => (path: string) => values[path] ?? null

describe('explainFailure', () => {
  it.each([
    ['/proc/sys/kernel/unprivileged_userns_clone', '0', 'kernel.unprivileged_userns_clone=1'],
    [
      '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
      '1',
      'kernel.apparmor_restrict_unprivileged_userns=0',
    ],
    ['/proc/sys/user/max_user_namespaces', '0', 'user.max_user_namespaces=10000'],
  ])('names the switch that closes user namespaces: %s', (path, value, remedy) => {
    const message = explainFailure('bwrap: No permissions', switches({ [path]: value }))
    expect(message).toContain('user namespaces are closed')
    expect(message).toContain(`sysctl -w ${remedy}`)
  })

  it('passes on what bwrap said last when every switch is open', () => {
    const open = switches({ '/proc/sys/user/max_user_namespaces': '96365' })
    expect(explainFailure('first\nbwrap: Creating new namespace failed\n', open)).toContain(
      'it said "bwrap: Creating new namespace failed"',
    )
    expect(explainFailure('', open)).toContain('it said "nothing"')
  })
})
