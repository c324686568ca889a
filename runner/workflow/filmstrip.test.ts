import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { filmPath } from '#lib/domain/record/index.ts'
import { Filmstrip } from './filmstrip.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-film-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const line = (value: unknown) => `${JSON.stringify(value)}\n`
const stepEnd = (step: string, endMs: number) => line({ stepEnd: { step, endMs } })
const action = (step: string | null, error: string | null = null) =>
  line({ action: { step, action: 'click', target: null, startMs: 10, durationMs: 5, error } })

function start(name: string, shoot: () => Promise<Buffer | null>) {
  const path = join(folder, name)
  const film = new Filmstrip(shoot)
  film.follow(path)
  return { path, film }
}

it('has a picture of each step that ended, of failed actions and of tool calls', async () => {
  const { path, film } = start('steps', async () => Buffer.from('jpeg'))
  const parts = [
    action('pay') + stepEnd('pay', 40.4),
    action('look', 'no such button'),
    action(null),
  ]
  for (const [index, part] of parts.entries()) {
    await appendFile(path, part)
    await vi.waitFor(() => expect(film.frames).toHaveLength(index + 1), 5000)
  }
  const pictures = await film.close()
  expect(pictures.map(({ frame: { lateMs: _, ...frame } }) => frame)).toEqual([
    { path: 'film/01.jpg', step: 'pay', action: null, endMs: 40, failed: false },
    { path: 'film/02.jpg', step: 'look', action: 'click', endMs: 15, failed: true },
    { path: 'film/03.jpg', step: null, action: 'click', endMs: 15, failed: false },
  ])
})

it('takes the last picture when the library has ended, and one at a time', async () => {
  let answer = (_: Buffer) => {}
  const shoot = vi.fn(() => new Promise<Buffer>((resolve) => (answer = resolve)))
  const { path, film } = start('late', shoot)
  await appendFile(path, stepEnd('one', 1))
  await vi.waitFor(() => expect(shoot).toHaveBeenCalledTimes(1), 5000)
  await appendFile(path, stepEnd('two', 2) + stepEnd('three', 3))
  film.stop()
  const closed = film.close()
  answer(Buffer.from('1'))
  await vi.waitFor(() => expect(shoot).toHaveBeenCalledTimes(2), 5000)
  answer(Buffer.from('3'))
  expect((await closed).map(({ frame }) => frame.step)).toEqual(['one', 'three'])
})

it('ends with its budget of bytes and pictures, and at a camera that fails', async () => {
  const large = start('large', async () => Buffer.alloc(400_000))
  const none = start('none', () => Promise.reject(new Error('gone')))
  for (let step = 0; step < 3; step++) {
    for (const { path } of [large, none]) await appendFile(path, stepEnd(`step ${step}`, step))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(await large.film.close()).toHaveLength(1)
  expect(await none.film.close()).toEqual([])
})

it('names the step at which the page is, however much was written before, and its letters whole', async () => {
  const shoot = vi.fn(async () => Buffer.from('jpeg'))
  const path = join(folder, 'backlog')
  const wide = Array.from({ length: 40 }, (_, step) =>
    action('é'.repeat(199), 'x'.repeat(1990 + (step % 7))),
  )
  writeFileSync(path, wide.join('') + stepEnd('é-last', 9))
  const film = new Filmstrip(shoot)
  film.follow(path)
  await vi.waitFor(() => expect(film.frames).toHaveLength(1), 5000)
  expect((await film.close()).map(({ frame }) => frame.step)).toEqual(['é-last'])
  expect(shoot).toHaveBeenCalledTimes(1)
})

it('shows all of a long episode, each failure, and its end', async () => {
  const { path, film } = start('long', async () => Buffer.alloc(20_000))
  for (let step = 1; step <= 80; step++) {
    const before = step === 50 ? action('lost', 'no such button') : ''
    await appendFile(path, before || stepEnd(`step ${step}`, step))
    await new Promise((resolve) => setTimeout(resolve, 28))
  }
  const pictures = await film.close()
  const steps = pictures.map(({ frame }) => frame.step)
  expect(pictures.length).toBeGreaterThan(10)
  expect(pictures.length).toBeLessThanOrEqual(24)
  expect(pictures.map(({ frame }) => frame.path)).toEqual(
    pictures.map((_, place) => filmPath(place + 1)),
  )
  expect(steps).toContain('lost')
  expect(steps.at(-1)).toBe('step 80')
  expect(steps.some((step) => /^step [456]\d$/.test(step ?? ''))).toBe(true)
})

it('follows no link and reads nothing that is not a trace', async () => {
  const shoot = vi.fn(async () => Buffer.from('x'))
  writeFileSync(join(folder, 'other'), stepEnd('elsewhere', 1))
  symlinkSync(join(folder, 'other'), join(folder, 'link'))
  expect(await start('link', shoot).film.close()).toEqual([])
  writeFileSync(join(folder, 'broken'), `not json\n${'x'.repeat(70_000)}\n{"stepEnd":{}}\n`)
  expect(await start('broken', shoot).film.close()).toEqual([])
  expect(await new Filmstrip(shoot).close()).toEqual([])
  expect(shoot).not.toHaveBeenCalled()
})
