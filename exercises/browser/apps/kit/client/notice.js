// A notice that covers the page until it is dismissed.
;(() => {
  const show = () => {
    const cover = document.createElement('div')
    cover.id = 'site-notice'
    cover.style.cssText =
      'position:fixed;inset:0;z-index:2147483647;background:rgb(15 23 42/.6);display:grid;place-items:center;padding:16px'
    cover.innerHTML = `<div style="background:#fff;color:#0f172a;max-width:420px;padding:24px;border-radius:12px;font:16px/1.5 system-ui,sans-serif;box-shadow:0 20px 50px rgb(0 0 0/.3)">
<p style="margin:0 0 8px;font-weight:600">We have updated our terms</p>
<p style="margin:0 0 16px">They apply from next month. Nothing you have to do now.</p>
<button type="button" id="dismiss-notice" data-dismiss-notice style="font:inherit;padding:8px 16px;border:0;border-radius:8px;background:#0f172a;color:#fff;cursor:pointer">Dismiss notice</button></div>`
    document.body.append(cover)
    document.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest('[data-dismiss-notice]')) cover.remove()
    })
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', show)
  else show()
})()
