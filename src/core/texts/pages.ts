/** Words of the pages for customers and of the faults in forms. */
import { catalogue } from './catalogue.js';

export const pages = catalogue({
  'page.pay_unknown.title': { en: 'This link does not work', fr: 'Ce lien ne fonctionne pas' },
  'page.pay_unknown.text': {
    en: 'It may be incomplete, or the request may have been closed. Copy the whole address from our message, or reply to that message.',
    fr: 'Il est peut-être incomplet, ou la demande a été close. Copiez l’adresse entière depuis notre message, ou répondez à ce message.',
  },
  'page.pay_paid.title': { en: 'Paid, thank you', fr: 'C’est payé, merci' },
  'page.pay_paid.text': {
    en: 'We have received your payment. You can close this page; there is nothing more to do.',
    fr: 'Nous avons bien reçu votre paiement. Vous pouvez fermer cette page ; il n’y a rien d’autre à faire.',
  },
  'page.pay_pending.title': { en: 'Your payment is on its way', fr: 'Votre paiement est en cours' },
  'page.pay_pending.text': {
    en: 'We have been notified of your payment, and the money is on its way to us. This may take a few days. Please do not pay again; there is nothing more to do.',
    fr: 'Nous avons été informés de votre paiement et l’argent est en route, ce qui peut prendre quelques jours. Merci de ne pas payer une seconde fois ; il n’y a rien d’autre à faire.',
  },
  'page.pay_in_review.title': { en: 'We are checking your payment', fr: 'Nous vérifions votre paiement' },
  'page.pay_in_review.text': {
    en: 'We have received a payment from you and are checking it. Please do not pay again; we will write to you.',
    fr: 'Un paiement de votre part nous est parvenu et nous le vérifions. Merci de ne pas payer une seconde fois ; nous vous écrirons.',
  },
  'page.pay_busy.title': { en: 'One moment', fr: 'Un instant' },
  'page.pay_busy.text': {
    en: 'Your payment page is being prepared. This page reloads automatically.',
    fr: 'Votre page de paiement est en préparation. Cette page se recharge automatiquement.',
  },
  'page.pay_unavailable.title': { en: 'Not possible at the moment', fr: 'Impossible pour le moment' },
  'page.pay_unavailable.text': {
    en: 'The payment page cannot be opened right now. Nothing was charged. Please try again in a few minutes; your link stays valid.',
    fr: 'La page de paiement ne peut pas être ouverte pour l’instant. Rien n’a été débité. Réessayez dans quelques minutes ; votre lien reste valable.',
  },
  'page.pay_limited.title': { en: 'Too many attempts', fr: 'Trop de tentatives' },
  'page.pay_limited.text': {
    en: 'This link was opened too often within a minute. Please wait a moment and try again.',
    fr: 'Ce lien a été ouvert trop souvent en une minute. Patientez un instant, puis réessayez.',
  },
  'page.paid.title': { en: 'Thank you', fr: 'Merci' },
  'page.paid.text': {
    en: 'Your payment is being confirmed. You can close this page; there is nothing more to do.',
    fr: 'Votre paiement est en cours de confirmation. Vous pouvez fermer cette page ; il n’y a plus rien à faire.',
  },

  'fault.This value should not be blank.': { en: 'This field is required.', fr: 'Ce champ est obligatoire.' },
  'fault.This value is not valid.': {
    en: 'Contains characters that aren’t allowed.',
    fr: 'Ce champ contient des caractères non autorisés.',
  },
  'fault.The signature provider accepts only common Latin letters, digits, spaces, hyphens, apostrophes and parentheses in a name, not “%letter%”.':
    {
      en: 'The signature provider accepts only common Latin letters, digits, spaces, hyphens, apostrophes and parentheses in a name, not “%letter%”.',
      fr: 'Le prestataire de signature n’accepte pas « %letter% » dans un nom, seulement les lettres latines courantes, des chiffres, des espaces, des traits d’union, des apostrophes et des parenthèses.',
    },
  'fault.The contract cannot print “%letter%”.': {
    en: 'The contract cannot print “%letter%”. Write it in other letters.',
    fr: 'Le contrat ne peut pas imprimer « %letter% ». Écrivez-le avec d’autres lettres.',
  },
  'fault.This value is not a valid email address.': {
    en: 'Enter a valid e-mail address.',
    fr: 'Indiquez une adresse e-mail valide.',
  },
  'fault.The signature provider takes only addresses made of unaccented letters, digits and . _ + -, with a dot in the domain.':
    {
      en: 'The signature provider takes only addresses of unaccented letters, digits and . _ + -, with a dot in the domain.',
      fr: 'Le prestataire de signature n’accepte que des adresses faites de lettres sans accent, de chiffres et de . _ + -, avec un point dans le domaine.',
    },
  'fault.This value is not a valid phone number.': {
    en: 'Enter a complete phone number with its country code, such as +33 6 12 34 56 78.',
    fr: 'Indiquez un numéro de téléphone complet avec l’indicatif du pays, par exemple +33 6 12 34 56 78.',
  },
  'fault.This value should not begin with - or contain ` or $.': {
    en: 'The address may not begin with - or contain ` or $.',
    fr: 'L’adresse ne peut ni commencer par - ni contenir ` ou $.',
  },
  'fault.This value should be the current password.': {
    en: 'This is not your current password.',
    fr: 'Ce n’est pas votre mot de passe actuel.',
  },
  'fault.This value is already used.': {
    en: 'This is already in use.',
    fr: 'Cette valeur est déjà utilisée.',
  },
  'fault.This value is too short. It should have 12 characters or more.': {
    en: 'Too short: at least 12 characters.',
    fr: 'Trop court : 12 caractères au moins.',
  },
  'fault.This value is too long. It should have 100 characters or less.': {
    en: 'Too long: at most 100 characters.',
    fr: 'Trop long : 100 caractères au plus.',
  },
  'fault.This value is too long. It should have 128 characters or less.': {
    en: 'Too long: at most 128 characters.',
    fr: 'Trop long : 128 caractères au plus.',
  },
  'fault.This value is too long. It should have 255 characters or less.': {
    en: 'Too long: at most 255 characters.',
    fr: 'Trop long : 255 caractères au plus.',
  },
  'fault.This value is too long. It should have 500 characters or less.': {
    en: 'Too long: at most 500 characters.',
    fr: 'Trop long : 500 caractères au plus.',
  },
  'fault.This value is too long. It should have 1000 characters or less.': {
    en: 'Too long: at most 1,000 characters.',
    fr: 'Trop long : 1 000 caractères au plus.',
  },
  'fault.This value is too long. It should have 5000 characters or less.': {
    en: 'Too long: at most 5,000 characters.',
    fr: 'Trop long : 5 000 caractères au plus.',
  },
  'fault.Give an amount such as 180.00.': {
    en: 'Give an amount such as 180.00.',
    fr: 'Indiquez un montant tel que 180,00.',
  },
  'fault.Give a word of the equipment’s name or model.': {
    en: 'Give a word of the equipment’s name or model.',
    fr: 'Indiquez un mot du nom ou du modèle de l’équipement.',
  },
  'fault.Prices are in “%letter%” here.': {
    en: 'Prices are in “%letter%” here.',
    fr: 'Ici, les prix sont en « %letter% ».',
  },
  'fault.The file is larger than 5 MB. Split it.': {
    en: 'The file is larger than 5 MB. Split it.',
    fr: 'Le fichier dépasse 5 Mo. Divisez-le.',
  },
  'fault.The file has more than 200 columns. Remove those that are not imported.': {
    en: 'The file has more than 200 columns. Remove those that are not imported.',
    fr: 'Le fichier contient plus de 200 colonnes. Retirez celles qui ne sont pas importées.',
  },
  'fault.The file has more than 10000 rows. Split it.': {
    en: 'The file has more than 10,000 rows. Split it.',
    fr: 'Le fichier a plus de 10 000 lignes. Divisez-le.',
  },
  'fault.The file has no username column. Its first line must name columns out of these: “%letter%”.': {
    en: 'The file has no “username” column. Its first line must name columns out of these: %letter%.',
    fr: 'Le fichier n’a pas de colonne « username ». Sa première ligne doit nommer des colonnes parmi celles-ci : %letter%.',
  },
  'fault.The file has two columns “%letter%”. Remove one of them.': {
    en: 'The file has two columns “%letter%”. Remove one of them.',
    fr: 'Le fichier a deux colonnes « %letter% ». Supprimez-en une.',
  },
  'fault.There is no such user.': { en: 'There is no such user.', fr: 'Cet utilisateur n’existe pas.' },
  'fault.There is no such equipment.': {
    en: 'There is no such equipment.',
    fr: 'Cet équipement n’existe pas.',
  },
  'fault.This equipment belongs to another customer.': {
    en: 'This equipment belongs to another customer.',
    fr: 'Cet équipement appartient à un autre client.',
  },
  'fault.This can no longer be changed: the contract of the request has been sent.': {
    en: 'This can no longer be changed: the contract of the request has been sent.',
    fr: 'Ce n’est plus modifiable : le contrat de la demande a été envoyé.',
  },
  'fault.This cannot be changed now: the contract may be with the customer.': {
    en: 'This cannot be changed now: the contract may be with the customer.',
    fr: 'Ce n’est pas modifiable pour le moment : le client a peut-être déjà reçu le contrat.',
  },
  'fault.The value you selected is not a valid choice.': {
    en: 'Choose one of the values offered.',
    fr: 'Choisissez l’une des valeurs proposées.',
  },
  'fault.The two passwords differ.': {
    en: 'The two passwords differ.',
    fr: 'Les deux mots de passe sont différents.',
  },

  'page.password': { en: 'New password', fr: 'Nouveau mot de passe' },
  'page.password_again': { en: 'Repeat the password', fr: 'Répétez le mot de passe' },
  'page.password_rule': { en: '12 to 128 characters.', fr: '12 à 128 caractères.' },
  'page.set_password': { en: 'Set password', fr: 'Définir le mot de passe' },
  'page.send_link': { en: 'Send me a link', fr: 'Recevoir un lien' },
  'page.new_link': { en: 'Request a new link', fr: 'Demander un nouveau lien' },
  'page.log_in': { en: 'Log in', fr: 'Se connecter' },
  'page.forgot.title': { en: 'Forgot your password?', fr: 'Mot de passe oublié ?' },
  'page.forgot.text': {
    en: 'Enter the e-mail address of your account. We will send you a link to set a new password.',
    fr: 'Indiquez l’adresse e-mail de votre compte. Nous vous enverrons un lien pour définir un nouveau mot de passe.',
  },
  'page.forgot_sent.title': { en: 'Check your mailbox', fr: 'Consultez votre messagerie' },
  'page.forgot_sent.text': {
    en: 'If there is an account with this address, a message with a link is on its way. The link is valid for one hour. If nothing has arrived in a few minutes, look in your spam folder and check the spelling of the address. We send at most three messages an hour.',
    fr: 'S’il existe un compte à cette adresse, un message contenant un lien est en route. Le lien est valable une heure. Si rien n’arrive d’ici quelques minutes, regardez dans vos courriers indésirables et vérifiez l’orthographe de l’adresse. Nous envoyons au plus trois messages par heure.',
  },
  'page.password_invitation.title': { en: 'Set your password', fr: 'Définissez votre mot de passe' },
  'page.password_invitation.text': {
    en: 'Welcome. Choose the password for your account %username%.',
    fr: 'Bienvenue. Choisissez le mot de passe de votre compte %username%.',
  },
  'page.password_reset.title': { en: 'Set a new password', fr: 'Définissez un nouveau mot de passe' },
  'page.password_reset.text': {
    en: 'Choose a new password for your account %username%. You will be logged out everywhere.',
    fr: 'Choisissez un nouveau mot de passe pour votre compte %username%. Toutes vos sessions seront fermées.',
  },
  'page.password_done.title': { en: 'Your password is set', fr: 'Votre mot de passe est défini' },
  'page.password_done.text': {
    en: 'From now on, log in as %username% with your new password.',
    fr: 'Connectez-vous désormais en tant que %username% avec votre nouveau mot de passe.',
  },
  'page.account_ready.title': { en: 'Your account is ready', fr: 'Votre compte est prêt' },
  'page.account_ready.text': {
    en: 'Your requests and contracts are kept in your account %username%. There is nothing else to do now: whatever you have to sign or pay will come to you by e-mail. If you have questions, simply reply to one of our e-mails.',
    fr: 'Vos demandes et vos contrats sont rattachés à votre compte %username%. Vous n’avez rien d’autre à faire pour l’instant : ce que vous aurez à signer ou à payer vous parviendra par e-mail. Pour toute question, répondez simplement à l’un de nos e-mails.',
  },
  'page.password_unknown.text': {
    en: 'It may be incomplete or too old. Copy the whole address from our message, or request a new link.',
    fr: 'Il est peut-être incomplet ou trop ancien. Copiez l’adresse entière depuis notre message, ou demandez un nouveau lien.',
  },
  'page.password_used.title': { en: 'This link has already been used', fr: 'Ce lien a déjà servi' },
  'page.password_used.text': {
    en: 'It works only once, and a password has already been set with it. If that was not you, or if you have forgotten the password, request a new link.',
    fr: 'Il ne fonctionne qu’une fois et a déjà servi à définir un mot de passe. Si ce n’était pas vous, ou si vous avez oublié ce mot de passe, demandez un nouveau lien.',
  },
  'page.password_expired.title': { en: 'This link has expired', fr: 'Ce lien a expiré' },
  'page.password_expired.text': {
    en: 'Nothing was changed. Request a new link; we will send it to you by e-mail.',
    fr: 'Rien n’a été modifié. Demandez un nouveau lien ; nous vous l’enverrons par e-mail.',
  },
  'page.password_void.title': { en: 'This link is no longer valid', fr: 'Ce lien n’est plus valable' },
  'page.password_void.text': {
    en: 'Your account has changed since we sent this link, perhaps because you set a password with another one. If you cannot log in, request a new link.',
    fr: 'Votre compte a changé depuis son envoi : vous avez peut-être défini un mot de passe avec un autre lien. Si vous ne pouvez pas vous connecter, demandez un nouveau lien.',
  },
  'page.password_limited.text': {
    en: 'Please wait a few minutes and try again. Your link stays valid.',
    fr: 'Patientez quelques minutes, puis réessayez. Votre lien reste valable.',
  },
});
