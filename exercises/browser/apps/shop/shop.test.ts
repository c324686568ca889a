import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { AppRequest, AppResponse, AppTools } from '../app.ts'
import { createDraw } from '../kit/draw.ts'
import { shop } from './shop.ts'

const TASK = JSON.parse(readFileSync('exercises/browser/shop-coupon-order/task.json', 'utf8'))
const wanted = (path: string) =>
  TASK.contract.find((one: { path?: string }) => one.path === path).exactly

/** A signed-in customer of a new shop. */
async function visit() {
  const state = shop.seed(createDraw(TASK.seed))
  const tools: AppTools = {
    now: () => new Date('2026-03-02T09:00:00Z'),
    draw: createDraw(1),
    origin: '',
    announce: () => {},
  }
  let cookies = {}
  const post = async (path: string, body: AppRequest['body']): Promise<AppResponse> => {
    const query = new URLSearchParams()
    const request = { method: 'POST', path, query, body, files: [], cookies }
    const answer = await shop.handle(state, request, tools)
    const sid = /sid=([^;]+)/.exec(answer.headers?.['set-cookie'] ?? '')?.[1]
    if (sid) cookies = { sid }
    return answer
  }
  await post('/sign-in', { email: 'mara.lindqvist@example.com', password: 'harbour-lamp-42' })
  return { post, exposed: () => shop.expose(state) as Record<string, unknown[]> }
}

const ANORAK = { product: 'drift-anorak', colour: 'Navy', size: 'L', quantity: '1' }
const MUGS = { product: 'kiln-mug', colour: 'Charcoal', size: 'One size', quantity: '2' }

it.each([[[ANORAK, MUGS]], [[MUGS, ANORAK]]])(
  'an order is what was asked for, whichever thing was put into the cart first',
  async (lines) => {
    const { post, exposed } = await visit()
    for (const line of lines) await post('/cart/lines', line)
    await post('/cart/coupon', { coupon: 'SPRING15' })
    const [{ address, delivery }] = wanted('orders')
    await post('/checkout/address', address)
    await post('/checkout/delivery', delivery)
    const card = { card: '4242 4242 4242 4242', expiry: '09/28', code: '123' }
    await post('/orders', card)
    expect(exposed().orders).toMatchObject(wanted('orders'))
  },
)

it('a wish list that is empty again is none', async () => {
  const { post, exposed } = await visit()
  await post('/wish-list/items', { product: 'kiln-mug' })
  expect(exposed().wishLists).toHaveLength(1)
  await post('/wish-list/removed', { product: 'kiln-mug' })
  expect(exposed().wishLists).toEqual(wanted('wishLists'))
})
