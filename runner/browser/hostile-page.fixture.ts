/** A page that changes what its readers would use, hides members behind names, and does not want to be left. */
export const HOSTILE_PAGE = `<!doctype html><title>shop</title>
<h1>Orders</h1><ul><li>Mug   2</li><li>Tea</li><li style="display:none">hidden</li></ul>
<form><input id="name" value="Ada"><input name="innerText" aria-label="trap"></form>
<img name="querySelectorAll">
<script>
  Array.prototype.map = String.prototype.trim = Document.prototype.querySelectorAll = () => 'no'
  Object.defineProperty(HTMLElement.prototype, 'innerText', { get: () => { throw new Error('no') } })
  localStorage.cart = 'mug'; sessionStorage.step = '2'; indexedDB.open('orders')
  onbeforeunload = (event) => { event.preventDefault(); return 'stay' }
</script>`
