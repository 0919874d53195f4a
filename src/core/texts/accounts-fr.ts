import type { accountsEn } from './accounts-en.js';

/** The same words in French. */
export const accountsFr: Record<keyof typeof accountsEn, string> = {
  'mail.label.account': 'Compte',
  'mail.label.valid_until': 'Lien valable jusqu’au',
  'mail.footer.account': 'Ce message vous est adressé par %issuer% au sujet de votre compte.',
  'mail.password.action': 'Définir votre mot de passe',
  'mail.password.once':
    'Ce lien ne fonctionne qu’une fois. S’il a expiré, la page qu’il ouvre vous en propose un nouveau. Merci de ne pas transférer ce message.',
  'mail.invitation.subject': 'Votre compte chez %issuer%',
  'mail.invitation.intro': '%issuer% vous a ouvert un compte. Il vous reste à définir votre mot de passe.',
  'mail.invitation.next':
    'Si vous n’attendiez pas ce message, vous pouvez l’ignorer : sans mot de passe, personne ne peut se connecter.',
  'mail.reset.subject': 'Nouveau mot de passe pour votre compte chez %issuer%',
  'mail.reset.intro': 'Un lien pour définir un nouveau mot de passe a été demandé pour votre compte.',
  'mail.reset.next':
    'Si vous n’en êtes pas à l’origine, ignorez ce message : votre mot de passe reste inchangé.',
  'mail.name.invitation': 'e-mail d’invitation à définir un mot de passe',
  'mail.name.password-reset': 'e-mail avec le lien pour un nouveau mot de passe',
  'timeline.user.invited': 'Invité à définir un mot de passe',
  'timeline.user.joined': 'Mot de passe défini grâce à l’invitation',
  'timeline.user.password_reset': 'Nouveau mot de passe défini grâce à un lien envoyé par e-mail',
  'todo.address_refused':
    'Le serveur de messagerie n’accepte pas de message pour %username% : %mail% (%error%). Corrigez l’adresse.',

  'page.username': 'Adresse e-mail',
  'page.password': 'Nouveau mot de passe',
  'page.password_again': 'Répétez le mot de passe',
  'page.password_rule': '12 à 128 caractères.',
  'fault.The two passwords differ.': 'Les deux mots de passe sont différents.',
  'page.set_password': 'Définir le mot de passe',
  'page.send_link': 'Recevoir un lien',
  'page.new_link': 'Demander un nouveau lien',
  'page.log_in': 'Se connecter',
  'page.forgot.title': 'Mot de passe oublié ?',
  'page.forgot.text':
    'Indiquez l’adresse e-mail de votre compte. Nous vous enverrons un lien pour définir un nouveau mot de passe.',
  'page.forgot_sent.title': 'Consultez votre messagerie',
  'page.forgot_sent.text':
    'S’il existe un compte à cette adresse, un message contenant un lien est en route. Le lien est valable une heure. Si rien n’arrive d’ici quelques minutes, regardez dans vos courriers indésirables et vérifiez l’orthographe de l’adresse. Nous envoyons au plus trois messages par heure.',
  'page.password_invitation.title': 'Définissez votre mot de passe',
  'page.password_invitation.text': 'Bienvenue. Choisissez le mot de passe de votre compte %username%.',
  'page.password_reset.title': 'Définissez un nouveau mot de passe',
  'page.password_reset.text':
    'Choisissez un nouveau mot de passe pour votre compte %username%. Toutes vos sessions seront fermées.',
  'page.password_done.title': 'Votre mot de passe est défini',
  'page.password_done.text':
    'Connectez-vous désormais en tant que %username% avec votre nouveau mot de passe.',
  'page.password_unknown.title': 'Ce lien ne fonctionne pas',
  'page.password_unknown.text':
    'Il est peut-être incomplet ou trop ancien. Copiez l’adresse entière depuis notre message, ou demandez un nouveau lien.',
  'page.password_used.title': 'Ce lien a déjà servi',
  'page.password_used.text':
    'Il ne fonctionne qu’une fois et a déjà servi à définir un mot de passe. Si ce n’était pas vous, ou si vous avez oublié ce mot de passe, demandez un nouveau lien.',
  'page.password_expired.title': 'Ce lien a expiré',
  'page.password_expired.text':
    'Rien n’a été modifié. Demandez un nouveau lien ; nous vous l’enverrons par e-mail.',
  'page.password_void.title': 'Ce lien n’est plus valable',
  'page.password_void.text':
    'Votre compte a changé depuis son envoi : vous avez peut-être défini un mot de passe avec un autre lien. Si vous ne pouvez pas vous connecter, demandez un nouveau lien.',
  'page.password_limited.title': 'Trop de tentatives',
  'page.password_limited.text': 'Patientez quelques minutes, puis réessayez. Votre lien reste valable.',

  has_password: 'Cette personne a un mot de passe et n’a pas besoin d’invitation.',
  user_disabled: 'Ce compte est fermé. Rouvrez-le d’abord.',
  'admin.login.forgot': 'Mot de passe oublié ?',
  'admin.users.no_password': 'pas encore défini',
  'admin.users.added_invited':
    'L’utilisateur a été ajouté ; un e-mail avec un lien pour définir son mot de passe est en route.',
  'admin.users.invite': 'Renvoyer l’invitation',
  'admin.users.invited': 'L’invitation est en route.',
  'admin.users.password_or_invite':
    '12 à 128 caractères. Laissez vide pour inviter cette personne par e-mail.',
};
