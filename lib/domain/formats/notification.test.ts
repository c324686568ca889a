import { expect, it } from 'vitest'
import { type Notification, notificationBody } from './notification.ts'

const notification: Notification = {
  id: 'run-ended:run_1',
  kind: 'run-ended',
  at: '2026-11-28T12:00:00.000Z',
  title: 'agent <!channel> & co on typescript: done',
  text: 'line one\nline two\u202E',
  url: 'https://board.example/runs/run_1',
}

it('is JSON with every member, on one line and without characters that reorder text', () => {
  expect(JSON.parse(notificationBody(notification, false))).toEqual({
    version: 1,
    ...notification,
    text: 'line one line two ',
  })
})

it('lets no name mention a channel or end the link in Slack', () => {
  expect(JSON.parse(notificationBody(notification, true))).toEqual({
    text: '<https://board.example/runs/run_1|agent &lt;!channel&gt; &amp; co on typescript: done>\nline one line two ',
  })
})

it('cuts long texts', () => {
  const long = { ...notification, text: 'x'.repeat(100_000) }
  expect(notificationBody(long, true).length).toBeLessThan(1500)
})
