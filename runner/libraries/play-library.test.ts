import { expect, it } from 'vitest'
import { settingsOf } from './play-library.ts'
import { LIBRARIES } from './registry.ts'

const OWN = { PROOFBOARD_OPENCHROME: 'node /opt/openchrome', SECRET: 'word', PATH: '/bin' }

it('passes the command of OpenChrome on to OpenChrome alone', () => {
  for (const { name } of LIBRARIES)
    expect(settingsOf({ library: name }, OWN)).toEqual(
      name === 'openchrome' ? { PROOFBOARD_OPENCHROME: 'node /opt/openchrome' } : {},
    )
  expect(settingsOf({ library: 'openchrome' }, {})).toEqual({})
})
