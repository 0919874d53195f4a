import { explainFr } from './explain-fr.js';
import { pagesFr } from './pages-fr.js';
import { accountsFr } from './accounts-fr.js';
import { recordsFr } from './records-fr.js';
import { listsFr } from './lists-fr.js';
import { joined } from './joined.js';
import type { generalEn } from './en.js';
import type { TextKey } from './index.js';

/** The same table in French. The spaces before : ; ! ? and inside « » become non-breaking when a text is read. */
const generalFr: Record<keyof typeof generalEn, string> = {
  'request.check_signature': 'Vérifier la signature',

  check_signature_success: 'Le contrat est signé. La demande attend maintenant le paiement.',
  'check_signature_info.ongoing': 'Le client n’a pas encore signé. Rien n’a été modifié.',
  'check_signature_info.expired':
    'Le délai de signature est dépassé : le contrat est passé à l’état expiré. Réinitialisez la signature pour en envoyer un nouveau.',
  'check_signature_info.status': 'Le prestataire de signature indique l’état « %status% ».',
  check_signature_start_expired:
    'Le délai de signature est dépassé : le contrat est passé à l’état expiré. Lancez la signature pour en envoyer un nouveau.',
  check_signature_caught_up:
    'Le contrat est chez le client, qui n’a pas encore signé. Son envoi avait été interrompu ici ; la demande est maintenant à jour.',

  check_signature_signer_error:
    'Une erreur s’est produite chez le prestataire de signature pendant que le client signait, et le contrat y a été annulé. Le document est peut-être endommagé. Réinitialisez la signature pour envoyer un nouveau contrat.',

  check_signature_not_sent:
    'Le prestataire de signature n’a pas envoyé ce contrat : le client n’a rien reçu. Relancez la signature.',
  not_waiting_signature: 'Cette demande n’attend pas de signature : il n’y a rien à vérifier.',
  contract_not_found: 'Cette demande n’a pas encore de contrat. Réinitialisez la signature pour en créer un.',
  no_sign_id:
    'Le contrat n’a jamais été transmis au prestataire de signature. Réinitialisez la signature pour l’envoyer.',
  contract_expired: 'Le contrat a expiré. Réinitialisez la signature pour en envoyer un nouveau.',
  payment_creation_failed:
    'Le contrat est signé, mais la page de paiement n’a pas pu être créée. Une nouvelle tentative aura lieu automatiquement ; si la dernière échoue, la tâche figure parmi les tâches en échec.',
  signature_not_found:
    'Le prestataire de signature ne connaît pas ce contrat : il est passé à l’état expiré. Réinitialisez la signature pour en envoyer un nouveau.',
  foreign_signature:
    'La demande de signature trouvée chez le prestataire sous le nom ou le numéro de ce contrat n’est pas la sienne : son nom ou son signataire diffère, ou elle est antérieure au contrat. Rien n’en a été repris. Réinitialisez la signature pour envoyer un nouveau contrat.',
  second_document:
    'Le prestataire de signature détient un second document au nom de ce contrat (%sign%, %status%). Il faut décider lequel des deux compte.',
  'unknown_signature.done':
    'Le client l’a signé, mais cette installation n’en a aucune trace. Récupérez le PDF signé dans la console du prestataire et mettez-vous d’accord avec le client avant d’envoyer un autre contrat.',
  'unknown_signature.open':
    'Il peut encore être signé, et cette installation n’en saurait rien. Annulez-le dans la console du prestataire ; la signature de la demande pourra ensuite être relancée.',
  'unknown_signature.draft': 'Personne ne l’a reçu. Il peut être supprimé dans la console du prestataire.',
  provider_unavailable:
    'Le prestataire de signature est injoignable. Rien n’a été modifié ; réessayez dans quelques minutes. Si cela dure, « %command% » en donne la cause.',
  provider_answered:
    'Le prestataire de signature a répondu %answer%. Rien n’a été modifié ; réessayez dans quelques minutes. Si cela dure, « %command% » en donne la cause.',
  provider_refuses_key:
    'Le prestataire de signature refuse la clé d’API. Rien n’a été modifié. Corrigez ESIGN_API_KEY ; « %command% » la vérifie.',
  provider_forbids:
    'Le prestataire de signature ne permet pas cela : il a répondu %answer%. Soit ESIGN_API_KEY n’est pas la bonne clé, soit il manque une option au compte. Rien n’a été modifié ; « %command% » vérifie la clé.',
  provider_rejects:
    'Le prestataire de signature a refusé les données : il a répondu %answer%. Vérifiez les données du contrat et du client, puis réessayez.',
  provider_rejects_pdf:
    'Le prestataire de signature a refusé le PDF : il a répondu %answer%. Réessayez avec un autre PDF.',
  provider_busy:
    'Le prestataire de signature n’accepte plus d’appels pour le moment. Rien n’a été modifié ; réessayez dans %seconds% s.',
  provider_unrecognised:
    'Le prestataire de signature a répondu 404, mais pas dans son propre format : la réponse vient d’un proxy, ou d’autre chose à l’adresse indiquée dans ESIGN_API_URL. Rien n’a été modifié ; « %command% » vérifie l’adresse.',
  already_signed: 'Le client a déjà signé ce contrat. Vérifiez plutôt la signature.',
  request_not_found: 'Aucune demande ne porte ce numéro.',

  'pdf.title': 'Contrat de maintenance',
  'pdf.reference': 'Référence',
  'pdf.made': 'Établi le',
  'pdf.provider': 'Le Prestataire',
  'pdf.customer': 'Le Client',
  'pdf.provider.role': 'réalise la maintenance',
  'pdf.email': 'E-mail : %value%',
  'pdf.phone': 'Téléphone : %value%',
  'pdf.equipment': 'L’équipement',
  'pdf.equipment.name': 'Désignation',
  'pdf.equipment.model': 'Modèle',
  'pdf.equipment.serial': 'Numéro de série',
  'pdf.subject': '1. Objet',
  'pdf.subject.text':
    'Le Prestataire s’engage à réaliser pour le Client, sur l’équipement désigné ci-dessus, les travaux de maintenance décrits ici.',
  'pdf.obligations': '2. Obligations',
  'pdf.obligations.provider':
    'Le Prestataire exécute les travaux dans les règles de l’art, avec du personnel qualifié et des pièces adaptées, et informe sans délai le Client de tout ce qui y ferait obstacle.',
  'pdf.obligations.customer':
    'Le Client donne au Prestataire accès à l’équipement aux moments convenus, lui communique ce qu’il sait de son état et l’utilise conformément aux prescriptions du fabricant.',
  'pdf.price': '3. Prix et paiement',
  'pdf.price.label': 'Prix total',
  'pdf.price.scope':
    'Ce montant est la totalité de ce que le Client paie pour les travaux décrits à l’article 1. Tout travail supplémentaire fait l’objet d’un nouvel accord écrit.',
  'pdf.price.payment':
    'Une fois le contrat signé, le Prestataire envoie au Client un e-mail contenant un lien vers une page de paiement sécurisée. Le prix est exigible à la réception de cet e-mail.',
  'pdf.term': '4. Durée',
  'pdf.term.start':
    'Le présent contrat prend effet le jour de sa signature par le Client. S’il n’est pas signé au plus tard le %deadline%, il devient caduc et n’engage aucune des parties.',
  'pdf.term.fixed':
    'Il est conclu pour une durée de %term% à compter du jour de la signature, puis prend fin sans préavis.',
  'pdf.term.open':
    'Il est conclu sans échéance. Chaque partie peut y mettre fin par écrit, moyennant un préavis d’un mois.',
  'pdf.term.breach':
    'Si une partie manque à ses obligations et n’y remédie pas dans les trente jours suivant un rappel écrit, l’autre partie peut mettre fin au contrat.',
  'pdf.signature': '5. Signature',
  'pdf.signature.text':
    'Le Client signe le présent contrat par voie électronique. Les parties conviennent que la signature électronique a la même valeur qu’une signature manuscrite. Chaque partie conserve un exemplaire du contrat signé.',
  'pdf.signature.provider': 'Pour le Prestataire',
  'pdf.signature.customer': 'Pour le Client',
  'pdf.signature.issued': 'Émis par voie électronique le %date%',
  'pdf.signature.box': 'Signature',
  'pdf.page': 'Page %page% sur %pages%',

  'mail.greeting': 'Bonjour %name%,',
  'mail.greeting.admin': 'Bonjour,',
  'mail.closing': 'Cordialement,',
  'mail.footer': 'Ce message vous est adressé par %issuer% au sujet de la demande %reference%.',
  'mail.footer.admin': 'Ce message vous est adressé par le service des contrats de %issuer%.',
  'mail.fact': '%label% : %value%',
  'mail.command': 'En ligne de commande',
  'mail.link': 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  'mail.label.reference': 'Demande',
  'mail.label.title': 'Objet',
  'mail.label.customer': 'Client',
  'mail.label.contract': 'Contrat',
  'mail.label.signed_at': 'Signé le',
  'mail.label.sign_before': 'Date limite de signature',
  'mail.label.amount': 'Montant',
  'mail.label.paid_at': 'Payé le',
  'mail.label.reason': 'Motif',
  'mail.label.decline_reason': 'Selon le client',
  'mail.label.paid': 'Payé',
  'mail.label.payment': 'Paiement',
  'mail.label.failing_since': 'En échec depuis',
  'mail.label.failure': 'Erreur',
  'mail.label.error': 'Dernière réponse',
  'mail.label.sign_id': 'Demande de signature chez le prestataire',
  'mail.label.external_id': 'Identifiant externe',
  'mail.label.url': 'Adresse',
  'mail.label.event': 'Événement',
  'mail.label.subscription': 'Webhook',
  'mail.unknown': 'inconnu',

  'mail.signed.subject': 'Votre contrat de maintenance signé %reference%',
  'mail.signed.intro': 'Merci : votre contrat de maintenance est signé.',
  'mail.signed.attached': 'Le contrat signé est joint à ce message ; veuillez le conserver.',
  'mail.signed.too_large':
    'Le contrat signé est trop volumineux pour être envoyé par e-mail. Répondez à ce message et nous vous le ferons parvenir autrement.',
  'mail.signed.next': 'Vous recevrez bientôt un second message avec un lien vers la page de paiement.',

  'mail.canceled.subject': 'Votre demande %reference% a été annulée',
  'mail.canceled.intro':
    'Nous avons annulé votre demande de maintenance. Vous n’avez rien à signer ni à payer ; les liens que nous vous avons envoyés pour cette demande ne fonctionnent plus.',
  'mail.canceled.next': 'Si vous ne vous y attendiez pas, répondez simplement à ce message.',

  'mail.admin_signed.subject': 'Signé : %reference% (%customer%)',
  'mail.admin_signed.intro':
    '%customer% a signé le contrat de maintenance. Le contrat signé est archivé et la demande attend maintenant le paiement.',
  'mail.admin_signed.next':
    'Aucune action n’est nécessaire : la page de paiement est créée automatiquement et son lien est envoyé au client.',

  'mail.payment.subject': 'Paiement de votre contrat de maintenance %reference%',
  'mail.payment.intro':
    'Votre contrat est signé. Merci de régler %amount% sur notre page de paiement sécurisée.',
  'mail.payment.action': 'Payer %amount%',
  'mail.payment.code': 'Le lien de paiement sous forme de code QR',
  'mail.payment.lasting':
    'Ce lien reste valable jusqu’à votre paiement. Le code QR ouvre la même page sur un téléphone.',

  'mail.reminder.subject': 'Rappel : paiement de votre contrat de maintenance %reference%',
  'mail.reminder.intro':
    'Votre contrat est signé et votre paiement de %amount% ne nous est pas encore parvenu. Veuillez payer sur notre page de paiement sécurisée. Si vous avez payé entre-temps, ne tenez pas compte de ce message.',

  'mail.received.subject': 'Paiement reçu : votre contrat de maintenance %reference%',
  'mail.received.intro': 'Merci : nous avons bien reçu votre paiement de %amount%.',
  'mail.received.next': 'Votre demande est terminée ; vous n’avez plus rien à faire.',

  'mail.admin_paid.subject': 'Payé : %reference% (%customer%)',
  'mail.admin_paid.intro': '%customer% a payé %amount%. La demande est terminée.',
  'mail.admin_paid.next': 'Aucune action n’est nécessaire.',

  'mail.ended.subject': 'Contrat terminé sans signature : %reference% (%customer%)',
  'mail.ended.intro.declined': '%customer% a refusé de signer le contrat de maintenance.',
  'mail.ended.intro.canceled':
    'La signature du contrat de maintenance de %customer% a été annulée chez le prestataire de signature.',
  'mail.ended.intro.rejected':
    'Le contrat de maintenance de %customer% a été rejeté à l’étape d’approbation du prestataire de signature.',
  'mail.ended.intro.deleted':
    'Le contrat de maintenance de %customer% a été supprimé chez le prestataire de signature.',
  'mail.ended.intro.signer_error':
    'Une erreur s’est produite chez le prestataire de signature pendant que %customer% signait le contrat de maintenance, qui y a été annulé. Le document est peut-être endommagé.',
  'mail.ended.intro.expired': '%customer% n’a pas signé le contrat de maintenance à temps.',
  'mail.ended.intro.not_found':
    'Le prestataire de signature ne connaît plus le contrat de maintenance de %customer%.',
  'mail.ended.reason.declined': 'refusé par le client',
  'mail.ended.reason.canceled': 'annulé chez le prestataire de signature',
  'mail.ended.reason.rejected': 'rejeté à l’étape d’approbation',
  'mail.ended.reason.deleted': 'supprimé chez le prestataire de signature',
  'mail.ended.reason.signer_error': 'erreur chez le prestataire de signature pendant que le client signait',
  'mail.ended.reason.expired': 'non signé à temps',
  'mail.ended.reason.not_found': 'inconnu du prestataire de signature',
  'mail.ended.state.start':
    'Ce contrat est maintenant expiré et ne peut plus être signé. Le lancement de la signature a été interrompu ici : vous pouvez la relancer.',
  'mail.ended.next.start':
    'Si le client souhaite toujours les travaux, lancez la signature : un nouveau contrat est établi et envoyé. Faites-le dans l’administration ou en ligne de commande.',
  'mail.ended.state.reset':
    'Ce contrat est maintenant expiré et ne peut plus être signé. La demande attend toujours une signature.',
  'mail.ended.next.reset':
    'Si le client souhaite toujours les travaux, réinitialisez la signature : un nouveau contrat est établi et envoyé. Faites-le dans l’administration ou en ligne de commande.',

  'mail.late.subject': 'Signé après la date limite, décision à prendre : %reference% (%customer%)',
  'mail.late.intro':
    '%customer% a signé le contrat de maintenance, mais après la date limite. Le contrat reste expiré et rien n’a été débité.',
  'mail.late.next':
    'Voyez avec le client, puis décidez. Si le contrat doit être maintenu, acceptez la signature tardive en indiquant un motif, sur la page de la demande ou avec la commande ci-dessous. Sinon, une réinitialisation envoie un nouveau contrat : `%command%`.',

  'mail.replaced.subject': 'Un contrat remplacé a été signé : %reference% (%customer%)',
  'mail.replaced.intro':
    '%customer% a signé le contrat %old%, qui a été remplacé par le contrat %contract%. Seul le contrat %contract% est valable ; cette signature n’a rien changé à la demande.',
  'mail.replaced.next':
    'Expliquez-le au client, qui croit peut-être que tout est réglé. La commande ci-dessous affiche le contrat %contract% et, tant qu’il n’est pas signé, son lien.',

  'mail.canceled_signed.subject': 'Signé après l’annulation, à vérifier : %reference% (%customer%)',
  'mail.canceled_signed.intro':
    '%customer% a signé le contrat de maintenance, mais la demande avait déjà été annulée. La signature ne compte pas et la demande reste inchangée.',
  'mail.canceled_signed.next':
    'Voyez avec le client, qui croit peut-être que tout est réglé, puis décidez. Si les travaux sont finalement souhaités, rouvrez la demande et relancez la signature. Sinon, réglez le cas avec un motif.',

  'mail.foreign.subject':
    'Document étranger au contrat chez le prestataire de signature : %reference% (%customer%)',
  'mail.foreign.intro':
    'Une demande de signature chez le prestataire semble appartenir à ce contrat, mais son nom, son signataire ou sa date de création ne concorde pas. Rien n’en a été enregistré, envoyé ni modifié.',
  'mail.foreign.served':
    'Le contrat de %customer% est envoyé sous un nom distinct ; il ne manque donc rien. Vérifiez dans la console du prestataire d’où vient l’autre document. Il peut dater d’avant la restauration d’une sauvegarde ou venir d’une autre installation sur le même compte.',
  'mail.foreign.stopped':
    'La demande attend toujours une signature. Vérifiez dans la console du prestataire d’où vient le document. Réinitialisez ensuite la signature : un nouveau contrat est établi et envoyé.',
  'mail.payment_failed.subject': 'Paiement échoué : %reference% (%customer%)',
  'mail.payment_failed.intro':
    'Le paiement de %customer% n’a pas abouti. Le contrat reste signé et la demande attend toujours le paiement.',
  'mail.payment_failed.next':
    'Convenez avec le client d’une nouvelle tentative ou d’un autre moyen de paiement.',
  'mail.old_session_paid.subject': 'Paiement qui ne compte pas, à vérifier : %reference% (%customer%)',
  'mail.old_session_paid.intro':
    '%customer% a payé par un lien qui ne compte pas : il appartient à un contrat précédent, ou la demande était déjà terminée. Ce paiement n’a pas permis de terminer la demande.',
  'mail.old_session_paid.next':
    'Décidez si le paiement doit être accepté ou remboursé. La page de la demande, ou la commande ci-dessous, montre où en sont les choses et ce qu’il faut faire ensuite. Tant que vous n’avez pas décidé, aucun paiement n’est demandé au client.',

  'mail.paid_unsigned.subject': 'Payé, mais sans signature connue : %reference% (%customer%)',
  'mail.paid_unsigned.intro':
    '%customer% a payé, mais ce serveur ne connaît aucune signature. Après une restauration, la signature peut manquer ici.',
  'mail.paid_unsigned.next':
    'Vérifiez la signature : si le contrat est signé, le paiement compte et la demande est terminée.',

  'mail.canceled_paid.subject': 'Payé après l’annulation, à vérifier : %reference% (%customer%)',
  'mail.canceled_paid.intro':
    '%customer% a payé, mais la demande est annulée. Le paiement est enregistré ; la demande reste annulée.',
  'mail.canceled_paid.next':
    'Soit vous remboursez le paiement chez le prestataire de paiement, puis réglez le cas avec un motif ; soit vous convenez des travaux avec le client et rouvrez la demande. Dans le second cas, terminez la demande à la main une fois le nouveau contrat signé : le paiement est alors accepté.',

  'mail.other_price.subject': 'Montant payé différent, à vérifier : %reference% (%customer%)',
  'mail.other_price.intro':
    'Un paiement de %customer% se rapporte à ce contrat, mais ne correspond pas à son prix. Il n’a pas été pris en compte et la demande n’a pas été terminée.',
  'mail.other_price.next':
    'Consultez le paiement chez le prestataire de paiement, comparez-le au prix, puis décidez s’il doit être accepté ou remboursé. La page de la demande, ou la commande ci-dessous, montre où en sont les choses et ce qu’il faut faire ensuite. Tant que vous n’avez pas décidé, aucun paiement n’est demandé au client.',

  'mail.webhook_disabled.subject': 'Webhook %id% désactivé',
  'mail.webhook_disabled.intro':
    'Un webhook a été désactivé, car ses livraisons échouent depuis plus d’une journée.',
  'mail.webhook_disabled.gone':
    'Un webhook a été désactivé, car son destinataire a répondu qu’il n’existe plus (410).',
  'mail.webhook_disabled.next':
    'Demandez au propriétaire de l’adresse de la rétablir. Réactivez ensuite le webhook ; vous pourrez renvoyer en une fois toutes les livraisons en échec.',
  'mail.run_failing.subject': 'Échec : %work%',
  'mail.run_failing.intro.backup':
    'La sauvegarde planifiée a échoué. Aucune nouvelle sauvegarde ne sera faite tant que la cause n’est pas corrigée ; les précédentes sont intactes.',
  'mail.run_failing.intro.expire':
    'L’expiration quotidienne a échoué. Les contrats dont la date est passée restent ouverts tant que la cause n’est pas corrigée.',
  'mail.run_failing.intro.care':
    'La maintenance nocturne a échoué. Rien n’est perdu ; les anciennes données restent en place tant que la cause n’est pas corrigée.',
  'mail.run_failing.next':
    'La commande ci-dessous indique quoi faire. Vous ne recevrez pas d’autre e-mail à ce sujet avant qu’une exécution ait réussi.',
  'mail.digest.subject': 'À traiter : %count%',
  'mail.digest.intro': 'Voici ce qui est à traiter, en commençant par le plus ancien.',
  'mail.digest.no_request': 'Installation',
  'mail.digest.need': 'Depuis le %since% : %what% (%next%)',
  'mail.digest.action': 'Ouvrir la liste',
  'mail.digest.more': 'Il y a d’autres cas : la liste les montre tous.',
  'mail.jobs_failed.subject': 'Tâches en échec définitif : %count%',
  'mail.jobs_failed.intro':
    'Depuis le %since%, ces tâches ont épuisé leurs tentatives. Elles ne seront pas relancées automatiquement.',
  'mail.jobs_failed.action': 'Ouvrir les tâches en échec',
  'mail.jobs_failed.next': 'Une fois la cause corrigée, relancez-les.',
  'run.digest': 'récapitulatif quotidien par e-mail',
  'mail.run_failing.intro.digest':
    'Le récapitulatif quotidien par e-mail n’a pas pu être préparé. `%command%` affiche la même liste.',
  'mail.run_failing.intro.snapshot':
    'L’instantané des données a échoué. Aucune nouvelle copie hors site ne sera faite tant que la cause n’est pas corrigée.',
  'mail.run_failing.intro.offsite':
    'Aucune copie hors site des données n’a été faite depuis trop longtemps. Si le serveur est perdu maintenant, tout ce qui a suivi la dernière copie l’est aussi.',
  'run.snapshot': 'instantané des données',
  'run.offsite': 'copie hors site',
  'run.mail': 'envoi des e-mails',
  'run.backup': 'sauvegarde planifiée',
  'run.expire': 'expiration quotidienne',
  'run.care': 'maintenance nocturne',
  'run.reconcile': 'vérification groupée',
  'run.trails': 'collecte des dossiers de preuve',
  'run.payments': 'vérification des paiements',
  'run.reminders': 'envoi des relances',
  'payment.product': 'Contrat de maintenance %reference% : %title%',
  'page.pay_unknown.title': 'Ce lien ne fonctionne pas',
  'page.pay_unknown.text':
    'Il est peut-être incomplet, ou la demande a été close. Copiez l’adresse entière depuis notre message, ou répondez à ce message.',
  'page.pay_paid.title': 'C’est payé, merci',
  'page.pay_paid.text':
    'Nous avons bien reçu votre paiement. Vous pouvez fermer cette page ; il n’y a rien d’autre à faire.',
  'page.pay_pending.title': 'Votre paiement est en cours',
  'page.pay_pending.text':
    'Nous avons été informés de votre paiement et l’argent est en route, ce qui peut prendre quelques jours. Merci de ne pas payer une seconde fois ; il n’y a rien d’autre à faire.',
  'page.pay_in_review.title': 'Nous vérifions votre paiement',
  'page.pay_in_review.text':
    'Un paiement de votre part nous est parvenu et nous le vérifions. Merci de ne pas payer une seconde fois ; nous vous écrirons.',
  'page.pay_busy.title': 'Un instant',
  'page.pay_busy.text': 'Votre page de paiement est en préparation. Cette page se recharge automatiquement.',
  'page.pay_unavailable.title': 'Impossible pour le moment',
  'page.pay_unavailable.text':
    'La page de paiement ne peut pas être ouverte pour l’instant. Rien n’a été débité. Réessayez dans quelques minutes ; votre lien reste valable.',
  'page.pay_limited.title': 'Trop de tentatives',
  'page.pay_limited.text':
    'Ce lien a été ouvert trop souvent en une minute. Patientez un instant, puis réessayez.',
  'page.paid.title': 'Merci',
  'page.paid.text':
    'Votre paiement est en cours de confirmation. Vous pouvez fermer cette page ; il n’y a plus rien à faire.',
};

export const fr: Record<TextKey, string> = joined(
  generalFr,
  explainFr,
  pagesFr,
  recordsFr,
  listsFr,
  accountsFr,
);
