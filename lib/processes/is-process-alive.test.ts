import { afterEach, expect, it, vi } from 'vitest'
import { hostId } from '#lib/setup/host.mjs'
import { locateProcess } from './is-process-alive.ts'

const UNUSED_PID = 4_000_000

afterEach(() => vi.unstubAllEnvs())

it('judges a process by its number on its own machine alone', () => {
  expect(locateProcess(process.pid, hostId())).toBe('alive')
  expect(locateProcess(UNUSED_PID, hostId())).toBe('gone')
  expect(locateProcess(process.pid, 'another-host')).toBe('elsewhere')
  expect(locateProcess(UNUSED_PID, 'another-host')).toBe('elsewhere')
})

it('takes a note of an earlier version, which names no machine, for one of this', () => {
  expect(locateProcess(process.pid, undefined)).toBe('alive')
  expect(locateProcess(Number.NaN, null)).toBe('gone')
})

it('has a name that stays the same, or the one that it is given', () => {
  expect(hostId()).toBe(hostId())
  expect(hostId()).toMatch(/^[\w.-]{1,64}$/)
  vi.stubEnv('PROOFBOARD_HOST_ID', 'rack-7')
  expect(hostId()).toBe('rack-7')
})
