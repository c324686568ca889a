import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendMail } from '../src/mailer.js'
import { uploadFile } from '../src/uploader.js'

test('sends at once where nothing fails', async () => {
  assert.equal(await sendMail({ to: 'a', text: 'b' }, async (path) => path), '/mails')
  assert.equal(await uploadFile('a b', 'c', async (path) => path), '/files/a%20b')
})
