import { expect, it } from 'vitest'
import { sniffImageType } from './screenshot.ts'

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part)] : part)),
  )

it('recognises bitmap images by their first bytes', () => {
  expect(sniffImageType(bytes([0x89], 'PNG\r\n', [0x1a, 0x0a, 0, 1]))).toBe('image/png')
  expect(sniffImageType(bytes([0xff, 0xd8, 0xff, 0xe0]))).toBe('image/jpeg')
  expect(sniffImageType(bytes('RIFF', [1, 2, 3, 4], 'WEBPVP8 '))).toBe('image/webp')
})

it('takes nothing else for one', () => {
  for (const text of [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<html>',
    'GIF89a',
    'RIFF1234WAVE',
    '',
    'PNG',
  ]) {
    expect(sniffImageType(bytes(text)), text).toBeNull()
  }
})
