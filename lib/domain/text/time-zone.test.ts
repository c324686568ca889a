import { expect, it } from 'vitest'
import { isTimeZone } from './time-zone.ts'

it.each([
  'UTC',
  'Europe/Berlin',
  ':Europe/Berlin',
  'EST5EDT',
  'CET-1CEST',
  '<+03>-3',
  ':/etc/localtime',
])('knows the time zone %s', (zone) => expect(isTimeZone(zone)).toBe(true))

it.each(['Mars/Phobos', 'Europe/Berln', 'nonsense', '-5'])('refuses %s', (zone) =>
  expect(isTimeZone(zone)).toBe(false),
)
