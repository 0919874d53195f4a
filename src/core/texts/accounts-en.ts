/** Words of accounts without log-in, in English: invitations, forgotten passwords, and the pages that their links open. */
export const accountsEn = {
  'mail.label.account': 'Account',
  'mail.label.valid_until': 'Link valid until',
  'mail.footer.account': 'This message was sent by %issuer% about your account.',
  'mail.password.action': 'Set your password',
  'mail.password.once':
    'The link works once. If it has expired, the page that it opens offers a new one. Please do not forward this message.',
  'mail.invitation.subject': 'Your account at %issuer%',
  'mail.invitation.intro': '%issuer% has opened an account for you. Please set your password.',
  'mail.invitation.next':
    'If you did not expect this message, you can ignore it: until a password is set, nobody can log in.',
  'mail.reset.subject': 'Set a new password for your account at %issuer%',
  'mail.reset.intro': 'We were asked for a link to set a new password for your account.',
  'mail.reset.next': 'If you did not ask for it, you can ignore this message: your password stays as it is.',
  'mail.name.invitation': 'e-mail with the invitation to set a password',
  'mail.name.password-reset': 'e-mail with the link to set a new password',
  'timeline.user.invited': 'Invited to set a password',
  'timeline.user.joined': 'Password set through the invitation',
  'timeline.user.password_reset': 'New password set through an e-mailed link',
  'todo.address_refused':
    'The mail server does not accept mail for %username%: %mail% (%error%). Correct the address.',

  'page.username': 'E-mail address',
  'page.password': 'New password',
  'page.password_again': 'Repeat the password',
  'page.password_rule': '12 to 128 characters.',
  'fault.The two passwords differ.': 'The two passwords differ.',
  'page.set_password': 'Set password',
  'page.send_link': 'Send me a link',
  'page.new_link': 'Request a new link',
  'page.log_in': 'Log in',
  'page.forgot.title': 'Forgot your password?',
  'page.forgot.text':
    'Enter the e-mail address of your account. We will send you a link to set a new password.',
  'page.forgot_sent.title': 'Check your mailbox',
  'page.forgot_sent.text':
    'If there is an account with this address, a message with a link is on its way. The link is valid for one hour. If nothing has arrived in a few minutes, look in your spam folder and check the spelling of the address. We send at most three messages an hour.',
  'page.password_invitation.title': 'Set your password',
  'page.password_invitation.text': 'Welcome. Choose the password for your account %username%.',
  'page.password_reset.title': 'Set a new password',
  'page.password_reset.text':
    'Choose a new password for your account %username%. You will be logged out everywhere.',
  'page.password_done.title': 'Your password is set',
  'page.password_done.text': 'From now on, log in as %username% with your new password.',
  'page.password_unknown.title': 'This link does not work',
  'page.password_unknown.text':
    'It may be incomplete or too old. Copy the whole address from our message, or request a new link.',
  'page.password_used.title': 'This link has already been used',
  'page.password_used.text':
    'It works only once, and a password has already been set with it. If that was not you, or if you have forgotten the password, request a new link.',
  'page.password_expired.title': 'This link has expired',
  'page.password_expired.text': 'Nothing was changed. Request a new link; we will send it to you by e-mail.',
  'page.password_void.title': 'This link is no longer valid',
  'page.password_void.text':
    'Your account has changed since we sent this link, perhaps because you set a password with another one. If you cannot log in, request a new link.',
  'page.password_limited.title': 'Too many attempts',
  'page.password_limited.text': 'Please wait a few minutes and try again. Your link stays valid.',

  has_password: 'This person has a password and needs no invitation.',
  user_disabled: 'This account is closed. Reopen it first.',
  'admin.login.forgot': 'Forgot your password?',
  'admin.users.no_password': 'not set yet',
  'admin.users.added_invited':
    'The user was added, and an e-mail with a link to set a password is on its way.',
  'admin.users.invite': 'Send invitation again',
  'admin.users.invited': 'The invitation is on its way.',
  'admin.users.password_or_invite': '12 to 128 characters. Leave it empty to invite the user by e-mail.',
} as const;
