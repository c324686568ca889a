import { describe, expect, it } from 'vitest'
import { refuseInspected, refuseSaid } from './check-image.ts'

const GB = 1e9

describe('an image is refused before anything is paid', () => {
  it.each([
    ['linux', 'amd64', GB, null],
    ['linux', 'arm64', GB, null],
    ['linux', 's390x', GB, 'is for linux/s390x: only images for linux/amd64 and linux/arm64'],
    ['windows', 'amd64', GB, 'is for windows/amd64'],
    ['linux', 'amd64', 41 * GB, 'has 41.0 GB, more than 40.0 GB'],
  ])('%s/%s of %d bytes', (Os, Architecture, Size, refusal) => {
    const message = refuseInspected({ Os, Architecture, Size })
    if (refusal === null) expect(message).toBeNull()
    else expect(message).toContain(refusal)
  })

  const ended = (stdout: string, stderr = '', code = 0) => ({ code, stdout, stderr })
  it.each([
    ['glibc', ended('glibc\n'), true, null],
    ['both', ended('musl\nglibc\n'), true, null],
    ['musl for node', ended('musl\n'), true, 'has musl as its C library (Alpine)'],
    ['musl for its own scripts', ended('musl\n'), false, null],
    ['none', ended(''), true, 'has no C library that node and agents can use'],
    [
      'another processor',
      ended('', 'exec /bin/sh: exec format error', 255),
      false,
      'is for linux/arm64, which this machine cannot run',
    ],
    [
      'no shell',
      ended('', 'exec: "/bin/sh": stat /bin/sh: no such file or directory', 127),
      false,
      'has no shell that can be started (/bin/sh): exec',
    ],
  ])('with %s', (_, ending, needsNode, refusal) => {
    const message = refuseSaid(ending, { platform: 'linux/arm64', needsNode })
    if (refusal === null) expect(message).toBeNull()
    else expect(message).toContain(refusal)
  })
})
