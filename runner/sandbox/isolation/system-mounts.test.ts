import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { checkPrograms, findNode, holdsPrivate } from './system-mounts.ts'

describe('what a sandbox may be shown', () => {
  it('never holds the home, the clone, or anything above them', () => {
    for (const path of ['/', homedir(), dirname(homedir()), PROJECT_ROOT, dirname(PROJECT_ROOT)])
      expect([path, holdsPrivate(path)]).toEqual([path, true])
    for (const path of [join(homedir(), '.nvm', 'versions'), `${homedir()}-other`, '/usr/lib'])
      expect([path, holdsPrivate(path)]).toEqual([path, false])
  })

  it('refuses a program that lies beside what is private', () => {
    expect(() => checkPrograms([{ host: homedir(), name: 'agent' }])).toThrow('cannot be shown')
    expect(() => checkPrograms([{ host: join(homedir(), 'a'), name: 'agent' }])).not.toThrow()
  })

  it('shows the whole folder of a node that has one to itself, and else the program alone', () => {
    const managed = join(homedir(), '.nvm', 'versions', 'node', 'v22.1.0')
    expect(findNode(join(managed, 'bin', 'node'))).toEqual({ host: managed, inside: '/opt/node' })
    for (const program of ['/usr/bin/node', '/usr/local/bin/node', join(homedir(), 'bin', 'node')])
      expect(findNode(program)).toEqual({ host: program, inside: '/opt/node/bin/node' })
  })
})
