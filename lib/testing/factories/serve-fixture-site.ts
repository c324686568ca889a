import { createServer } from 'node:http'

/** A test site: one page with every kind of element, one that never responds, one that freezes. */
export type FixtureSite = { origin: string; orders: string[]; close: () => Promise<void> }

/** Serves the site on a free port of this machine. */
export async function serveFixtureSite(): Promise<FixtureSite> {
  const orders: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/hung') return
    if (pathname === '/order') {
      orders.push(pathname)
      // The request is committed, but its response breaks off. Chromium repeats requests without any response.
      response.writeHead(200, { 'content-length': '100' })
      response.write('Than', () => request.socket.destroy())
      return
    }
    const page = PAGES[pathname]
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page?.(orders) ?? 'no such page')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  return {
    origin: `http://fixture.localhost:${port}`,
    orders,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function layOut(title: string, body: string): string {
  return `<!doctype html><html lang="en"><title>${title}</title><meta charset="utf-8"><body>${body}</body></html>`
}

const PAGES: Record<string, (orders: readonly string[]) => string> = {
  '/': () => layOut('Everything', EVERYTHING),
  '/second': () =>
    layOut('Second', '<h1 id="title">Second page</h1><a id="back" href="/">Back home</a>'),
  '/inner': () =>
    layOut(
      'Inner',
      `<label>Inside <input id="inside"></label><button id="save-inside">Save inside</button><p id="inner-said"></p>
      <script>document.querySelector('#save-inside').onclick = () => {
        document.querySelector('#inner-said').textContent = 'Saved ' + document.querySelector('#inside').value }</script>`,
    ),
  '/unload': () =>
    layOut(
      'Unsaved',
      `<label>Draft <input id="draft"></label><script>addEventListener('beforeunload', (event) => {
        event.preventDefault(); event.returnValue = 'x' })</script>`,
    ),
  '/freeze': () =>
    layOut(
      'Freeze',
      `<button id="freeze">Freeze</button><script>document.querySelector('#freeze').onclick = () =>
        setTimeout(() => { for (;;); }, 50)</script>`,
    ),
  '/notice': () =>
    layOut(
      'Notice',
      `<button id="buy">Buy</button><p id="bought">no</p><div id="notice" style="position:fixed;inset:0;background:#fff">
      <button id="dismiss-notice">Dismiss notice</button></div><script>
      document.querySelector('#dismiss-notice').onclick = () => document.querySelector('#notice').remove()
      document.querySelector('#buy').onclick = () => { document.querySelector('#bought').textContent = 'yes' }</script>`,
    ),
  '/checkout': () =>
    layOut(
      'Checkout',
      `<button id="place">Place order</button><p id="placed"></p><script>
      document.querySelector('#place').onclick = async () => {
        await fetch('/order', { method: 'POST' }).then((answer) => answer.text()).then(() => { document.querySelector('#placed').textContent = 'Thank you' },
          () => { document.querySelector('#placed').textContent = 'Something went wrong' }) }</script>`,
    ),
  '/orders': (orders) =>
    layOut('Orders', `<h1>Your orders</h1><p id="orders">${orders.length} orders</p>`),
}

const EVERYTHING = `
<style>.box { width: 120px; height: 60px; border: 1px solid #000; margin: 8px; display: inline-block }</style>
<h1 id="title">Everything   here</h1>
<p><a id="second" href="/second">Second page</a></p>
<button id="add">Add</button> <output id="count">0</output>
<label>Name <input id="name" value="before"></label> <output id="mirror"></output>
<label>Notes <textarea id="notes">old
notes</textarea></label>
<label>Day <input id="day" type="date"></label> <output id="day-said"></output>
<label>Amount <input id="amount" type="number" value="3"></label>
<label>Size <select id="size"><option value="s">Small one</option><option value="l">Large one</option></select></label>
<output id="chosen"></output>
<label><input id="gift" type="checkbox"> Gift</label> <output id="gifted">no gift</output>
<label><input id="express" type="radio" name="way"> Express</label> <output id="way"></output>
<label>Keys <input id="keys"></label> <output id="pressed"></output>
<label>Paper <input id="paper" type="file" multiple></label> <output id="papers"></output>
<button id="later" disabled>Wait for me</button> <output id="waited"></output>
<div id="late-place" style="height: 60px"></div>
<p id="hidden" style="display:none">Hidden words</p>
<button id="warn">Warn</button> <output id="warned"></output>
<button id="ask">Ask</button> <output id="asked"></output>
<iframe id="frame" title="Inner" src="/inner" width="400" height="80"></iframe>
<div style="height: 1500px"></div>
<div><div id="card" class="box" role="img" aria-label="Card" style="touch-action:none">Card</div>
<div id="slot" class="box" role="img" aria-label="Slot">Slot</div> <output id="dropped"></output></div>
<div><div id="token" class="box" role="img" aria-label="Token" draggable="true">Token</div>
<div id="bin" class="box" role="img" aria-label="Bin">Bin</div> <output id="binned"></output></div>
<script>
const $ = (id) => document.getElementById(id)
$('add').onclick = () => { $('count').textContent = Number($('count').textContent) + 1 }
$('name').oninput = () => { $('mirror').textContent = $('name').value }
$('day').onchange = () => { $('day-said').textContent = $('day').value }
$('size').onchange = () => { $('chosen').textContent = $('size').value }
$('gift').onchange = () => { $('gifted').textContent = $('gift').checked ? 'a gift' : 'no gift' }
$('express').onchange = () => { $('way').textContent = 'by express' }
$('keys').onkeydown = (event) => { $('pressed').textContent += event.key + ' ' }
$('paper').onchange = () => { $('papers').textContent = [...$('paper').files].map((f) => f.name + ':' + f.size).join(' ') }
setTimeout(() => { $('later').disabled = false }, 400)
$('later').onclick = () => { $('waited').textContent = 'worth it' }
setTimeout(() => { $('late-place').innerHTML = '<p id="late">Late   words</p>' }, 400)
$('warn').onclick = () => { alert('Careful'); $('warned').textContent = 'warned' }
$('ask').onclick = () => { $('asked').textContent = confirm('Really?') ? 'yes' : 'no' }
let held = false
let moves = 0
$('card').onpointerdown = (event) => { held = true; event.preventDefault() }
addEventListener('pointermove', () => { if (held) moves += 1 })
addEventListener('pointerup', (event) => {
  if (held && moves > 2 && document.elementFromPoint(event.clientX, event.clientY) === $('slot')) $('dropped').textContent = 'in the slot'
  held = false
})
$('token').ondragstart = (event) => event.dataTransfer.setData('text/plain', 'token')
$('bin').ondragover = (event) => event.preventDefault()
$('bin').ondrop = (event) => { event.preventDefault(); $('binned').textContent = event.dataTransfer.getData('text/plain') }
</script>`
