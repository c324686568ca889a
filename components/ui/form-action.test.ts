import { redirect } from 'next/navigation'
import { expect, it } from 'vitest'
import type { ActionResult } from '#lib/domain/api/index.ts'
import { answeredAction } from './form-action.ts'

const form = new FormData()
const failing = (error: Error) => answeredAction<ActionResult | null>(() => Promise.reject(error))

it('answers for a server that did not: the form and what was typed stay', async () => {
  const result = await failing(new TypeError('Failed to fetch'))(null, form)
  expect(result).toMatchObject({ ok: false, problems: [{ path: '(root)' }] })
  expect(JSON.stringify(result)).toContain('may or may not be done')
})

it('names the error of a server that failed', async () => {
  const error = Object.assign(new Error('An error occurred'), { digest: '123' })
  expect(JSON.stringify(await failing(error)(null, form))).toContain('(error 123)')
})

it('gives on what the action answers, and where it leads to', async () => {
  const done = { ok: true, message: 'Done.' } as const
  expect(await answeredAction<ActionResult | null>(async () => done)(null, form)).toBe(done)
  const leading = answeredAction<ActionResult | null>(async () => redirect('/admin'))
  await expect(leading(null, form)).rejects.toThrow('NEXT_REDIRECT')
})
