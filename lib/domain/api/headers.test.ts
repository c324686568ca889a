import { expect, it } from 'vitest'
import { accepts, parseRangeHeader } from './headers.ts'

const JSON_ONLY = ['application/json']

it.each([
  [null, true],
  ['', true],
  ['*/*', true],
  ['application/json', true],
  ['application/*;q=0.1', true],
  ['text/html,application/xhtml+xml,*/*;q=0.8', true],
  ['APPLICATION/JSON; charset=utf-8', true],
  ['nonsense', true],
  ['text/html', false],
  ['image/png, image/*', false],
  ['application/json;q=0, */*', false],
])('%s → %s', (header, expected) => {
  expect(accepts(header, JSON_ONLY)).toBe(expected)
})

it.each([
  [null, null],
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=50-1000', { start: 50, end: 99 }],
  ['bytes=100-', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=9-0', null],
  ['bytes=0-1,5-6', null],
  ['bytes=-', null],
  ['lines=1-2', null],
  ['bytes=99999999999999999999-', null],
])('%s of 100 bytes', (header, expected) => {
  expect(parseRangeHeader(header, 100)).toEqual(expected)
})

it('has no part of an empty file', () => {
  expect(['bytes=0-', 'bytes=-5'].map((header) => parseRangeHeader(header, 0))).toEqual([
    'none',
    'none',
  ])
})
