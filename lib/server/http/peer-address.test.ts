import { expect, it } from 'vitest'
import { readableAddress } from './peer-address.ts'

it('leaves an address alone whose path can be decoded', () => {
  for (const url of ['/', '/agents/a%2Fb', '/agents/%E2%9C%93?q=%E0%A4%A', '/?suite=%', '/a#%'])
    expect(readableAddress(url)).toBe(url)
})

it('takes each % for itself where one of them is not an escape', () => {
  expect(readableAddress('/agents/%E0%A4%A')).toBe('/agents/%25E0%25A4%25A')
  expect(readableAddress('/agents/100%?q=50%')).toBe('/agents/100%25?q=50%')
})
