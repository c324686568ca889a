import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { checkPrograms, holdsPrivate } from './system-mounts.ts'

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
})
