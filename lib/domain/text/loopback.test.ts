import { expect, it } from 'vitest'
import { isLoopback } from './loopback.ts'

it.each([
  'http://localhost',
  'http://localhost:3000/a',
  'http://127.0.0.1/',
  'http://127.8.0.1:80',
  'http://[::1]:8080/api',
])('%s is this machine', (url) => expect(isLoopback(url)).toBe(true))

it.each([
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example/',
  'http://localhost@evil.example',
  'http://evil.example/localhost',
  'http://[::2]/',
  'localhost',
  '',
])('%s is not', (url) => expect(isLoopback(url)).toBe(false))
