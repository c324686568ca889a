const FEW = 5
const { product } = document.querySelector('article.product').dataset
const words = document.getElementById('stock')
let stock = null

async function ask() {
  const answer = await fetch(`/api/stock/${product}`).catch(() => null)
  if (!answer?.ok) {
    words.textContent = 'The stock is not known just now.'
    return
  }
  stock = (await answer.json()).stock
  tell()
}

function tell() {
  if (stock === null) return
  const colour = document.getElementById('colour').value
  const size = document.getElementById('size').value
  const left = stock[`${colour} / ${size}`]
  const isOut = left === 0
  words.textContent = describe(left)
  words.className = isOut ? 'error' : 'quiet'
  document.getElementById('add-to-cart').disabled = isOut
}

function describe(left) {
  if (left === undefined) return 'Choose a colour and a size to see what is left.'
  if (left === 0) return 'Stock: sold out'
  return left <= FEW ? `Stock: only ${left} left` : `Stock: ${left} pieces`
}

document.addEventListener('change', ({ target }) => {
  if (target.id === 'colour' || target.id === 'size') tell()
})
void ask()
