/**
 * Conveniences; every page works without them: one box ticks all, the menu marks the current page, a double click
 * submits once, a text is copied.
 */
(() => {
  document.documentElement.dataset.script = '';
  document.addEventListener('DOMContentLoaded', () => {
    for (const here of document.querySelectorAll('nav a[aria-current]')) {
      here.scrollIntoView({ block: 'nearest', inline: 'center' });
    }
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.method === 'post' && 'sent' in form.dataset) event.preventDefault();
    form.dataset.sent = '';
  });
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
  });
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-copy]');
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    // Without a secure connection, a browser copies only what is selected.
    if (navigator.clipboard) void navigator.clipboard.writeText(field.value);
    else document.execCommand('copy');
    button.lastChild.textContent = ` ${button.dataset.done}`;
  });
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('[data-select-all]')) return;
    for (const box of target.form.querySelectorAll('input[name="id"]')) box.checked = target.checked;
  });
})();
