/**
 * The acts on a request: the label of each, what is asked before it, what is said after it; then the answers of the checks and
 * the refusals, whose keys are public (rules 4, 7).
 */
import { catalogue } from './catalogue.js';

export const acts = catalogue({
  'act.start-signature': { en: 'Start signature', fr: 'Lancer la signature' },
  'act.start-signature.ask': {
    en: 'Create the contract for %reference% (%title%) and send it to the customer for signature?',
    fr: 'Établir le contrat de %reference% (%title%) et l’envoyer au client pour signature ?',
  },
  'act.amount': {
    en: 'Another price for this request, such as 180.00 (optional)',
    fr: 'Autre prix pour cette demande, par exemple 180,00 (facultatif)',
  },
  'act.start-signature.pdf': {
    en: 'PDF to send instead of the generated contract (optional)',
    fr: 'PDF à envoyer à la place du contrat généré (facultatif)',
  },
  'act.start-signature.done': {
    en: 'The contract was sent to the customer for signature.',
    fr: 'Le contrat a été envoyé au client pour signature.',
  },

  'act.check-signature.ask': {
    en: 'Ask the signature provider about %reference% (%title%) and update the request?',
    fr: 'Interroger le prestataire de signature sur %reference% (%title%) et mettre la demande à jour ?',
  },

  'act.accept-late': { en: 'Accept the late signature', fr: 'Accepter la signature tardive' },
  'act.accept-late.ask': {
    en: 'The contract of %reference% (%title%) was signed on %signed%; the deadline was %last%. Accept the signature anyway? The customer will get the signed contract and a payment link.',
    fr: 'Le contrat de %reference% (%title%) a été signé le %signed% ; la date limite était le %last%. Accepter tout de même la signature ? Le client recevra le contrat signé et un lien de paiement.',
  },
  'act.accept-late.second': {
    en: 'The customer has signed a second document for %reference% (%title%). Accept this signature? The other document will be canceled, and the customer will get the signed contract and a payment link.',
    fr: 'Le client a signé un second document pour %reference% (%title%). Accepter cette signature ? L’autre document sera annulé ; le client recevra le contrat signé et un lien de paiement.',
  },
  'act.accept-late.done': {
    en: 'The late signature was accepted. The request now waits for the payment.',
    fr: 'La signature tardive est acceptée. La demande attend maintenant le paiement.',
  },

  'act.reset-signature': { en: 'Send a new contract', fr: 'Envoyer un nouveau contrat' },
  'act.reset-signature.ask': {
    en: 'Withdraw the contract of %reference% (%title%) and send the customer a new one?',
    fr: 'Retirer le contrat de %reference% (%title%) et en envoyer un nouveau au client ?',
  },
  'act.reset-signature.done': {
    en: 'The old contract was withdrawn, and a new one was sent to the customer.',
    fr: 'L’ancien contrat a été retiré et un nouveau envoyé au client.',
  },

  'act.check-payment': { en: 'Check payment', fr: 'Vérifier le paiement' },
  'act.check-payment.ask': {
    en: 'Ask the payment provider about %reference% (%title%) and update the request?',
    fr: 'Interroger le prestataire de paiement sur %reference% (%title%) et mettre la demande à jour ?',
  },

  'act.renew-payment': { en: 'Renew payment link', fr: 'Renouveler le lien de paiement' },
  'act.renew-payment.ask': {
    en: 'Create a new payment link for %reference% (%title%) and send it to the customer?',
    fr: 'Créer un nouveau lien de paiement pour %reference% (%title%) et l’envoyer au client ?',
  },
  'act.renew-payment.settling': {
    en: 'A payment for %reference% (%title%) does not count: %payments%. Have you refunded it? Then give the reason: this settles the case, and the customer gets a new payment link.',
    fr: 'Un paiement de la demande %reference% (%title%) ne compte pas : %payments%. L’avez-vous remboursé ? Donnez alors le motif : le cas est réglé, et le client reçoit un nouveau lien de paiement.',
  },
  'act.renew-payment.done': {
    en: 'The customer will get an e-mail with the new payment link.',
    fr: 'Le client recevra un e-mail avec le nouveau lien de paiement.',
  },

  'act.give-up-payment': { en: 'Stop waiting for the money', fr: 'Ne plus attendre l’argent' },
  'act.give-up-payment.ask': {
    en: 'The money for %reference% (%title%) is on its way. Stop waiting for it? The customer can then pay again; if it arrives after all, you may have to refund one of the two payments.',
    fr: 'L’argent attendu pour %reference% (%title%) est en route. Ne plus l’attendre ? Le client pourra alors payer à nouveau ; si cet argent arrive tout de même, il faudra peut-être rembourser l’un des deux paiements.',
  },
  'act.give-up-payment.done': {
    en: 'Nobody is waiting for the money any longer. The customer can pay again.',
    fr: 'L’argent n’est plus attendu. Le client peut payer à nouveau.',
  },

  'act.complete': { en: 'Mark as paid', fr: 'Marquer comme payée' },
  'act.complete.ask': {
    en: 'Mark %reference% (%title%) as paid? The payment provider has reported no payment that counts. The request is then complete; this cannot be undone.',
    fr: 'Marquer %reference% (%title%) comme payée ? Le prestataire de paiement n’a signalé aucun paiement qui compte. La demande sera alors terminée ; c’est irréversible.',
  },
  'act.complete.accepting': {
    en: 'Mark %reference% (%title%) as paid? This accepts the payment %paid% and cannot be undone.',
    fr: 'Marquer %reference% (%title%) comme payée ? Le paiement %paid% est alors accepté, et c’est irréversible.',
  },
  'act.complete.done': { en: 'The request is complete.', fr: 'La demande est terminée.' },

  'act.remind': { en: 'Remind the customer', fr: 'Relancer le client' },
  'act.remind.ask': {
    en: 'Remind %customer% about %reference% (%title%)? For a signature, the provider sends its reminder; for a payment, the e-mail with the link is sent again.',
    fr: 'Relancer %customer% au sujet de %reference% (%title%) ? Pour une signature, le prestataire envoie son rappel ; pour un paiement, l’e-mail avec le lien est renvoyé.',
  },
  'act.remind.done': {
    en: 'The customer will get a reminder by e-mail.',
    fr: 'Le client va recevoir un rappel par e-mail.',
  },

  'act.cancel': { en: 'Cancel request', fr: 'Annuler la demande' },
  'act.cancel.ask': {
    en: 'Cancel %reference% (%title%) of %customer%? A contract that is out for signature is withdrawn at the signature provider. The request can be reopened later; then a new contract is sent.',
    fr: 'Annuler %reference% (%title%) de %customer% ? Un contrat en attente de signature est retiré chez le prestataire de signature. La demande pourra être rouverte ; un nouveau contrat sera alors envoyé.',
  },
  'act.cancel.signed': {
    en: 'Cancel %reference% (%title%) of %customer%? The contract is signed: it ends here, and stays signed at the signature provider. The request can be reopened later; then a new contract is sent.',
    fr: 'Annuler %reference% (%title%) de %customer% ? Le contrat est signé : il prend fin ici et reste signé chez le prestataire de signature. La demande pourra être rouverte ; un nouveau contrat sera alors envoyé.',
  },
  'act.cancel.done': { en: 'The request is canceled.', fr: 'La demande est annulée.' },

  'act.reopen': { en: 'Reopen request', fr: 'Rouvrir la demande' },
  'act.reopen.ask': {
    en: 'Reopen %reference% (%title%) of %customer%? It is new again; the old contract stays expired.',
    fr: 'Rouvrir %reference% (%title%) de %customer% ? Elle redevient nouvelle ; l’ancien contrat reste expiré.',
  },
  'act.reopen.done': {
    en: 'The request is new again. Start the signature to send a new contract.',
    fr: 'La demande est de nouveau à l’état « Nouvelle ». Lancez la signature pour envoyer un nouveau contrat.',
  },

  'act.settle': { en: 'Settle the case', fr: 'Régler le cas' },
  'act.settle.ask': {
    en: 'A signature or payment for %reference% (%title%) does not count. Has it been dealt with, for example by a refund? The reason is kept in the history; the status of the request does not change.',
    fr: 'Une signature ou un paiement de la demande %reference% (%title%) ne compte pas. Le cas a-t-il été traité, par exemple par un remboursement ? Le motif est conservé dans l’historique ; l’état de la demande ne change pas.',
  },
  'act.settle.term': {
    en: 'The term of the contract of %reference% (%title%) ends. Let it end without renewal? The reason is kept in the history; the status of the request does not change.',
    fr: 'Le contrat de la demande %reference% (%title%) arrive à son terme. Le laisser prendre fin sans renouvellement ? Le motif est conservé dans l’historique ; l’état de la demande ne change pas.',
  },
  'act.settle.signature': { en: 'The signature', fr: 'La signature' },
  'act.settle.done': { en: 'The case is settled.', fr: 'Le cas est réglé.' },

  'act.renew-contract': { en: 'Renew the contract', fr: 'Renouveler le contrat' },
  'act.renew-contract.ask': {
    en: 'Make a new request for %customer% and the same equipment as %reference% (%title%)? Nothing is sent for signature yet.',
    fr: 'Créer une nouvelle demande pour %customer% et le même équipement que %reference% (%title%) ? Rien n’est encore envoyé pour signature.',
  },
  'act.renew-contract.done': {
    en: 'There is a new request that renews this contract. Start its signature to send the new contract.',
    fr: 'Une nouvelle demande renouvelle ce contrat. Lancez sa signature pour envoyer le nouveau contrat.',
  },

  'act.notify': { en: 'Notify the customer by e-mail', fr: 'Prévenir le client par e-mail' },

  'request.check_signature': { en: 'Check signature', fr: 'Vérifier la signature' },

  check_signature_success: {
    en: 'The contract is signed. The request now waits for the payment.',
    fr: 'Le contrat est signé. La demande attend maintenant le paiement.',
  },
  check_signature_start_expired: {
    en: 'The deadline for signing has passed, so the contract has expired. Start the signature to send a new one.',
    fr: 'Le délai de signature est dépassé : le contrat a expiré. Lancez la signature pour en envoyer un nouveau.',
  },
  check_signature_caught_up: {
    en: 'The contract is with the customer, who has not signed yet. Sending it was interrupted here; the request is now up to date.',
    fr: 'Le contrat est chez le client, qui n’a pas encore signé. Son envoi avait été interrompu ici ; la demande est maintenant à jour.',
  },
  check_signature_late: {
    en: 'The customer signed after the deadline, or cannot be shown to have signed before it. The signature counts only if you accept it; otherwise send a new contract.',
    fr: 'Le client a signé après la date limite, ou rien ne prouve que c’était avant. La signature ne compte que si vous l’acceptez ; sinon, envoyez un nouveau contrat.',
  },
  check_signature_signer_error: {
    en: 'An error occurred at the signature provider while the customer was signing, and the provider canceled the contract. The document may be damaged. Send a new contract.',
    fr: 'Une erreur s’est produite chez le prestataire de signature pendant que le client signait, et le contrat y a été annulé. Le document est peut-être endommagé. Envoyez un nouveau contrat.',
  },
  check_signature_not_sent: {
    en: 'The signature provider has not sent this contract: the customer has received nothing. Start the signature again.',
    fr: 'Le prestataire de signature n’a pas envoyé ce contrat : le client n’a rien reçu. Relancez la signature.',
  },

  'check_signature_info.ongoing': {
    en: 'The customer has not signed yet. Nothing was changed.',
    fr: 'Le client n’a pas encore signé. Rien n’a été modifié.',
  },
  'check_signature_info.expired': {
    en: 'The deadline for signing has passed, so the contract has expired. Send a new one.',
    fr: 'Le délai de signature est dépassé : le contrat a expiré. Envoyez-en un nouveau.',
  },
  'check_signature_info.status': {
    en: 'The signature provider reports the status “%status%”.',
    fr: 'Le prestataire de signature indique l’état « %status% ».',
  },

  not_waiting_signature: {
    en: 'This request is not waiting for a signature, so there is nothing to check.',
    fr: 'Cette demande n’attend pas de signature : il n’y a rien à vérifier.',
  },
  contract_not_found: {
    en: 'This request has no contract yet. Send one.',
    fr: 'Cette demande n’a pas encore de contrat. Envoyez-en un.',
  },
  no_sign_id: {
    en: 'The contract was never sent to the signature provider. Send a new one.',
    fr: 'Le contrat n’a jamais été transmis au prestataire de signature. Envoyez-en un nouveau.',
  },
  contract_expired: {
    en: 'The contract has expired. Send a new one.',
    fr: 'Le contrat a expiré. Envoyez-en un nouveau.',
  },
  payment_creation_failed: {
    en: 'The contract is signed, but the payment page could not be created. It will be retried automatically; if the last attempt fails, the job is listed under failed jobs.',
    fr: 'Le contrat est signé, mais la page de paiement n’a pas pu être créée. Une nouvelle tentative aura lieu automatiquement ; si la dernière échoue, la tâche figure parmi les tâches en échec.',
  },
  signature_not_found: {
    en: 'The signature provider does not know this contract, so it counts as expired. Send a new one.',
    fr: 'Le prestataire de signature ne connaît pas ce contrat : il compte comme expiré. Envoyez-en un nouveau.',
  },
  foreign_signature: {
    en: 'The signature request found at the provider under this contract’s name or ID does not belong to it: its name or signer differs, or it is older than the contract. Nothing from it was used. Send a new contract.',
    fr: 'La demande de signature trouvée chez le prestataire sous le nom ou le numéro de ce contrat n’est pas la sienne : son nom ou son signataire diffère, ou elle est antérieure au contrat. Rien n’en a été repris. Envoyez un nouveau contrat.',
  },
  second_document: {
    en: 'The signature provider has a second document under this contract’s name (%sign%, %status%). Someone has to decide which of the two counts.',
    fr: 'Le prestataire de signature détient un second document au nom de ce contrat (%sign%, %status%). Il faut décider lequel des deux compte.',
  },
  already_signed: {
    en: 'The customer has already signed this contract. Check the signature instead.',
    fr: 'Le client a déjà signé ce contrat. Vérifiez plutôt la signature.',
  },
  request_canceled: {
    en: 'The request is canceled. Reopen it first.',
    fr: 'La demande est annulée. Rouvrez-la d’abord.',
  },
  held: {
    en: 'The data was restored from a backup and is held: nothing is sent. The server’s administrator has to compare it with the providers and end the hold: `%command%`.',
    fr: 'Les données ont été restaurées depuis une sauvegarde et sont en attente de reprise : rien n’est envoyé. L’administrateur du serveur doit les comparer avec les prestataires et lever l’attente : « %command% ».',
    command: 'takeover',
  },
  database_damaged: {
    en: 'The database is damaged: nothing is stored. The server’s administrator has to stop esignd and restore a backup.',
    fr: 'La base de données est endommagée : rien n’est enregistré. L’administrateur du serveur doit arrêter esignd et restaurer une sauvegarde.',
  },
  database_moved: {
    en: 'A database file was moved, deleted or replaced while esignd had it open, so nothing more is stored. `%command%` on the server says what to do.',
    fr: 'Un fichier de la base de données a été déplacé, supprimé ou remplacé alors qu’esignd l’avait ouvert : plus rien n’est enregistré. Sur le serveur, « %command% » indique que faire.',
    command: 'doctor',
  },
  other_account: {
    en: 'The account at this provider holds nothing of this installation, although it should. Nothing was changed. The server’s administrator has to check the keys; if everything was deleted there, `%command%` lets you go on.',
    fr: 'Le compte chez ce prestataire ne contient rien de cette installation, alors qu’il le devrait. Rien n’a été modifié. L’administrateur du serveur doit vérifier les clés ; si tout y a été supprimé, « %command% » permet de continuer.',
    command: 'takeover',
  },
  clock_ahead: {
    en: 'The clock of this server is ahead of the signature provider’s: no contract was closed. The server’s administrator has to correct it.',
    fr: 'L’horloge de ce serveur avance sur celle du prestataire de signature : aucun contrat n’a été clôturé. L’administrateur du serveur doit la régler.',
  },
  file_exists: {
    en: 'A file with this name already exists and was not replaced. Try again.',
    fr: 'Un fichier de ce nom existe déjà et n’a pas été remplacé. Réessayez.',
  },
  not_permitted: {
    en: 'esignd may not write in its directory. `%command%` on the server says what to do.',
    fr: 'esignd n’a pas le droit d’écrire dans son répertoire. Sur le serveur, « %command% » indique que faire.',
    command: 'doctor',
  },
  database_busy: {
    en: 'Another program is using the database. Try again in a moment.',
    fr: 'Un autre programme utilise la base de données. Réessayez dans un instant.',
  },
  signed_pdf_differs: {
    en: 'The signature provider delivered a different PDF from the one stored when the contract was signed. Nothing was changed.',
    fr: 'Le prestataire de signature a fourni un autre PDF que celui enregistré à la signature. Rien n’a été modifié.',
  },
  not_replayable: {
    en: 'This event requires no action: there is nothing to process again.',
    fr: 'Cet événement ne demande aucune action : il n’y a rien à traiter de nouveau.',
  },
  job_not_waiting: { en: 'This job is not waiting.', fr: 'Cette tâche n’est pas en attente.' },
  job_not_found: { en: 'This job no longer exists.', fr: 'Cette tâche n’existe plus.' },
  job_not_failed: { en: 'This job has not failed.', fr: 'Cette tâche n’est pas en échec.' },
  request_not_found: {
    en: 'There is no request with this number.',
    fr: 'Aucune demande ne porte ce numéro.',
  },
  not_waiting_payment: {
    en: 'This request is not waiting for a payment.',
    fr: 'Cette demande n’attend pas de paiement.',
  },
  no_payment_session: {
    en: 'This request has no payment link yet. Renew it to make one.',
    fr: 'Cette demande n’a pas encore de lien de paiement. Renouvelez-le pour en créer un.',
  },
  payment_session_not_found: {
    en: 'The payment provider does not know this payment link. Renew it to send the customer a new one.',
    fr: 'Le prestataire de paiement ne connaît pas ce lien de paiement. Renouvelez-le pour en envoyer un nouveau au client.',
  },
  old_session_paid: {
    en: 'The customer has paid, but the payment does not count: someone has to decide what to do.',
    fr: 'Le client a payé, mais ce paiement ne compte pas : quelqu’un doit décider de la suite.',
  },
  payment_refuses_key: {
    en: 'The payment provider refuses the API key. Nothing was changed. Correct ESIGN_PAYMENT_API_KEY; `%command%` checks it.',
    fr: 'Le prestataire de paiement refuse la clé d’API. Rien n’a été modifié. Corrigez ESIGN_PAYMENT_API_KEY ; « %command% » la vérifie.',
    command: 'doctor',
  },
  payment_forbids: {
    en: 'The payment provider does not permit this: it answered %answer%. Either ESIGN_PAYMENT_API_KEY is the wrong key, or it lacks a permission. Nothing was changed; `%command%` checks the key.',
    fr: 'Le prestataire de paiement ne permet pas cela : il a répondu %answer%. Soit ESIGN_PAYMENT_API_KEY n’est pas la bonne clé, soit il lui manque une autorisation. Rien n’a été modifié ; « %command% » vérifie la clé.',
    command: 'doctor',
  },
  payment_unavailable: {
    en: 'The payment provider gave no usable answer. Nothing was changed; try again in a few minutes. If this continues, `%command%` shows why.',
    fr: 'Le prestataire de paiement n’a donné aucune réponse utilisable. Rien n’a été modifié ; réessayez dans quelques minutes. Si cela dure, « %command% » en donne la cause.',
    command: 'doctor',
  },
  in_progress: {
    en: 'Someone is working on this right now. Try again shortly.',
    fr: 'Quelqu’un y travaille en ce moment. Réessayez dans un instant.',
  },
  unpayable_price: {
    en: 'The payment provider does not accept the price of this request, so the contract cannot be sent. Make another offer first.',
    fr: 'Le prestataire de paiement n’accepte pas le prix de cette demande : le contrat ne peut donc pas être envoyé. Faites d’abord une autre offre.',
  },
  invalid_signer_name: {
    en: 'The signature provider will not accept the customer’s name. Correct first and last name, then try again.',
    fr: 'Le prestataire de signature n’accepte pas le nom du client. Corrigez prénom et nom, puis réessayez.',
  },
  invalid_signer_email: {
    en: 'The signature provider will not accept the customer’s e-mail address. It accepts at most 100 characters: unaccented letters, digits and . _ + -, and a domain with a dot.',
    fr: 'Le prestataire de signature n’accepte pas l’adresse e-mail du client. Il admet au plus 100 caractères : des lettres sans accent, des chiffres, les caractères . _ + - et un domaine avec un point.',
  },
  webhook_disabled: {
    en: 'The webhook is switched off, or the account it belongs to is closed.',
    fr: 'Le webhook est désactivé, ou le compte auquel il appartient est fermé.',
  },
  webhook_deleted: {
    en: 'The webhook was deleted, so there is nowhere left to send it.',
    fr: 'Le webhook a été supprimé : il n’y a plus personne à qui l’envoyer.',
  },
  not_late: {
    en: 'The customer signed in time: check the signature instead.',
    fr: 'Le client a signé à temps : vérifiez plutôt la signature.',
  },
  contract_not_signed: {
    en: 'This contract is not signed at the signature provider.',
    fr: 'Chez le prestataire de signature, ce contrat n’est pas signé.',
  },
  already_reset: {
    en: 'This contract has already been replaced: the customer has received a new one.',
    fr: 'Ce contrat a déjà été remplacé : le client en a reçu un nouveau.',
  },
  nothing_to_remind: {
    en: 'The request is waiting for neither a signature nor a payment, so there is nothing to remind the customer of.',
    fr: 'La demande n’attend ni signature ni paiement : il n’y a rien à rappeler.',
  },
  reminded_recently: {
    en: 'The customer was reminded less than an hour ago. Wait a while before the next reminder.',
    fr: 'Le client a été relancé il y a moins d’une heure. Attendez un peu avant le prochain rappel.',
  },
  already_complete: {
    en: 'The request is complete: signed and paid.',
    fr: 'La demande est terminée : signée et payée.',
  },
  nothing_to_settle: {
    en: 'There is nothing to settle, or nothing was selected.',
    fr: 'Il n’y a rien à régler, ou rien n’a été sélectionné.',
  },
  settled_meanwhile: {
    en: 'This was settled on %at% by %who%. Nothing is left to settle.',
    fr: 'Cela a été réglé le %at% par %who%. Il ne reste rien à régler.',
  },
  not_renewable: {
    en: 'Only a request that is complete, with a signed contract, can be renewed.',
    fr: 'Seule une demande terminée, avec un contrat signé, peut être renouvelée.',
  },
  not_canceled: {
    en: 'The request is not canceled, so there is nothing to reopen.',
    fr: 'La demande n’est pas annulée : il n’y a rien à rouvrir.',
  },
  already_started: { en: 'The signature has already been started.', fr: 'La signature est déjà lancée.' },
  signed_pdf_damaged: {
    en: 'The signed PDF on disk is not the one that was stored when the contract was signed, and the genuine one could not be fetched again. So the download is refused.',
    fr: 'Le PDF signé sur le disque n’est pas celui qui a été enregistré à la signature, et l’original n’a pas pu être récupéré. Le téléchargement est donc refusé.',
  },
  contract_pdf_missing: {
    en: 'The PDF to sign is no longer on disk.',
    fr: 'Le PDF à signer n’est plus sur le disque.',
  },
  signed_pdf_missing: {
    en: 'The signed PDF is not on disk, and it could not be fetched again.',
    fr: 'Le PDF signé n’est plus sur le disque, et il n’a pas pu être récupéré.',
  },
  already_paid: {
    en: 'The customer has paid. If this payment does not count and was refunded, give the reason; otherwise check the payment.',
    fr: 'Le client a payé. Si ce paiement ne compte pas et a été remboursé, donnez le motif ; sinon, vérifiez le paiement.',
  },
  no_payment_pending: {
    en: 'No money is on its way for this request.',
    fr: 'Aucun argent n’est en route pour cette demande.',
  },
  payment_link_works: {
    en: 'The payment link still works: there is nothing to renew.',
    fr: 'Le lien de paiement fonctionne encore : rien à renouveler.',
  },
  payment_pending: {
    en: 'The customer has paid; the money is still on its way. Wait, or stop waiting for the money if the payment provider says that the payment failed.',
    fr: 'Le client a payé ; l’argent est encore en route. Attendez, ou cessez d’attendre l’argent si le prestataire de paiement indique un échec.',
  },
  own_role: {
    en: 'You cannot change your own role. Ask another administrator.',
    fr: 'Vous ne pouvez pas changer votre propre rôle. Demandez à un autre administrateur.',
  },
  last_administrator: {
    en: 'This is the last active administrator. Make another user an administrator first.',
    fr: 'C’est le dernier administrateur actif. Nommez d’abord un autre administrateur.',
  },
  audit_trail_not_ready: {
    en: 'The signature provider has not finished its audit trail yet. Try again in a few minutes.',
    fr: 'Le prestataire de signature n’a pas encore terminé son dossier de preuve. Réessayez dans quelques minutes.',
  },
  erased: { en: '(erased)', fr: '(effacé)' },
  requests_open: {
    en: 'Something is still under way for this person. Complete or cancel their requests first.',
    fr: 'Quelque chose est encore en cours pour cette personne. Terminez ou annulez d’abord ses demandes.',
  },
  contracts_under_retention: {
    en: 'Signed contracts of this person must still be kept.',
    fr: 'Des contrats signés de cette personne doivent encore être conservés.',
  },
  user_erased: {
    en: 'This person’s data has already been erased.',
    fr: 'Les données de cette personne ont déjà été effacées.',
  },
  has_password: {
    en: 'This person has a password and needs no invitation.',
    fr: 'Cette personne a un mot de passe et n’a pas besoin d’invitation.',
  },
  user_disabled: {
    en: 'This account is closed. Reopen it first.',
    fr: 'Ce compte est fermé. Rouvrez-le d’abord.',
  },

  'unknown_signature.done': {
    en: 'The customer has signed it, but this installation has no record of it. Download the signed PDF from the provider’s console and agree with the customer how to proceed before you send another contract.',
    fr: 'Le client l’a signé, mais cette installation n’en a aucune trace. Récupérez le PDF signé dans la console du prestataire et mettez-vous d’accord avec le client avant d’envoyer un autre contrat.',
  },
  'unknown_signature.open': {
    en: 'It can still be signed, and this installation would not notice. Cancel it in the provider’s console; then the signature of the request can be started again.',
    fr: 'Il peut encore être signé, et cette installation n’en saurait rien. Annulez-le dans la console du prestataire ; la signature de la demande pourra ensuite être relancée.',
  },
  'unknown_signature.draft': {
    en: 'It was never sent. It can be deleted in the provider’s console.',
    fr: 'Personne ne l’a reçu. Il peut être supprimé dans la console du prestataire.',
  },

  provider_unavailable: {
    en: 'The signature provider cannot be reached. Nothing was changed; try again in a few minutes. If this continues, `%command%` shows why.',
    fr: 'Le prestataire de signature est injoignable. Rien n’a été modifié ; réessayez dans quelques minutes. Si cela dure, « %command% » en donne la cause.',
    command: 'doctor',
  },
  provider_answered: {
    en: 'The signature provider answered %answer%. Nothing was changed; try again in a few minutes. If this continues, `%command%` shows why.',
    fr: 'Le prestataire de signature a répondu %answer%. Rien n’a été modifié ; réessayez dans quelques minutes. Si cela dure, « %command% » en donne la cause.',
    command: 'doctor',
  },
  provider_refuses_key: {
    en: 'The signature provider refuses the API key. Nothing was changed. Correct ESIGN_API_KEY; `%command%` checks it.',
    fr: 'Le prestataire de signature refuse la clé d’API. Rien n’a été modifié. Corrigez ESIGN_API_KEY ; « %command% » la vérifie.',
    command: 'doctor',
  },
  provider_forbids: {
    en: 'The signature provider does not permit this: it answered %answer%. Either ESIGN_API_KEY is the wrong key, or the account lacks a feature. Nothing was changed; `%command%` checks the key.',
    fr: 'Le prestataire de signature ne permet pas cela : il a répondu %answer%. Soit ESIGN_API_KEY n’est pas la bonne clé, soit il manque une option au compte. Rien n’a été modifié ; « %command% » vérifie la clé.',
    command: 'doctor',
  },
  provider_rejects: {
    en: 'The signature provider rejected the data: it answered %answer%. Check the details of the contract and of the customer.',
    fr: 'Le prestataire de signature a refusé les données : il a répondu %answer%. Vérifiez les données du contrat et du client.',
  },
  provider_rejects_pdf: {
    en: 'The signature provider rejected the PDF: it answered %answer%. Use another PDF.',
    fr: 'Le prestataire de signature a refusé le PDF : il a répondu %answer%. Utilisez un autre PDF.',
  },
  provider_busy: {
    en: 'The signature provider accepts no more calls at the moment. Nothing was changed; try again in %seconds% s.',
    fr: 'Le prestataire de signature n’accepte plus d’appels pour le moment. Rien n’a été modifié ; réessayez dans %seconds% s.',
  },
  provider_unrecognised: {
    en: 'The signature provider answered 404, but not in its own format: a proxy answered, or something else at the address in ESIGN_API_URL. Nothing was changed; `%command%` checks the address.',
    fr: 'Le prestataire de signature a répondu 404, mais pas dans son propre format : la réponse vient d’un proxy, ou d’autre chose à l’adresse indiquée dans ESIGN_API_URL. Rien n’a été modifié ; « %command% » vérifie l’adresse.',
    command: 'doctor',
  },

  check_payment_success: {
    en: 'The customer has paid. The request is complete.',
    fr: 'Le client a payé. La demande est terminée.',
  },

  'check_payment_info.open': {
    en: 'The customer has not paid yet; the payment link works.',
    fr: 'Le client n’a pas encore payé ; le lien de paiement fonctionne.',
  },
  'check_payment_info.pending': {
    en: 'The customer has paid, and the money is still on its way. The request is waiting for it.',
    fr: 'Le client a payé, et l’argent est encore en route. La demande l’attend.',
  },
  'check_payment_info.expired': {
    en: 'No payment page is open now. Renew the payment link to send the customer a new one.',
    fr: 'Aucune page de paiement n’est ouverte. Renouvelez le lien de paiement pour en envoyer un nouveau au client.',
  },
  'check_payment_info.closed': {
    en: 'No payment is due, but this request still had a payment page that worked. The check closes it.',
    fr: 'Aucun paiement n’est dû, mais une page de paiement de cette demande fonctionnait encore. La vérification la ferme.',
  },

  'price.with_vat': {
    en: '%price% (%net% excl. %vat% VAT)',
    fr: '%price% TTC (%net% HT, TVA %vat%)',
  },
  'price.source.own': { en: 'price of this request', fr: 'prix de cette demande' },
  'price.source.offer': { en: 'from the offer', fr: 'selon l’offre' },
  'price.source.list': { en: 'from the price list', fr: 'selon la liste de prix' },
  'price.source.general': { en: 'general price', fr: 'prix général' },
  'price.least': {
    en: 'The payment provider accepts no less than %amount%.',
    fr: 'Le prestataire de paiement n’accepte pas moins de %amount%.',
  },
  'price.most': {
    en: 'The payment provider accepts no more than %amount%.',
    fr: 'Le prestataire de paiement n’accepte pas plus de %amount%.',
  },
  'price.step': {
    en: 'The payment provider accepts only multiples of %amount%.',
    fr: 'Le prestataire de paiement n’accepte que des multiples de %amount%.',
  },
});
