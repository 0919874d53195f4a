/**
 * Conveniences; every page works without them: the theme changes without a reload, one box ticks all, the menu marks
 * the current page, a double click submits once.
 */
export const THEME_COOKIE = 'esign_theme';

export const SCRIPT = `(() => {
  const root = document.documentElement;
  root.dataset.script = '';
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const wish = () => /(?:^|; )${THEME_COOKIE}=(light|dark)/.exec(document.cookie)?.[1] ?? 'auto';
  const show = () => {
    const theme = wish();
    root.dataset.bsTheme = theme === 'auto' ? (dark.matches ? 'dark' : 'light') : theme;
    for (const button of document.querySelectorAll('button[name="theme"]')) {
      const isOn = button.value === theme;
      button.classList.toggle('active', isOn);
      button.setAttribute('aria-pressed', String(isOn));
    }
  };
  show();
  dark.addEventListener('change', show);
  document.addEventListener('DOMContentLoaded', () => {
    show();
    for (const here of document.querySelectorAll('nav a[aria-current]')) {
      here.scrollIntoView({ block: 'nearest', inline: 'center' });
    }
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (event.submitter?.name !== 'theme') {
      if (form.method === 'post' && 'sent' in form.dataset) event.preventDefault();
      form.dataset.sent = '';
      return;
    }
    event.preventDefault();
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = '${THEME_COOKIE}=' + event.submitter.value + '; Path=/; Max-Age=31536000; SameSite=Strict' + secure;
    show();
  });
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
  });
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('[data-select-all]')) return;
    for (const box of target.form.querySelectorAll('input[name="id"]')) box.checked = target.checked;
  });
})();
`;
