/** Words of the back office. */
import { catalogue, plural } from '../../core/texts/catalogue.js';
import { joined, sayFrom, TEXTS, type Say } from '../../core/texts/index.js';
import type { KeyNaming, Locale } from '../../core/texts/catalogue.js';
import type { WriteCommand } from '../../core/commands.js';

const adminTexts = catalogue({
  'admin.skip': { en: 'Skip to content', fr: 'Aller au contenu' },
  'admin.held': {
    en: 'This data was restored from a backup made on %madeAt% and is held: no e-mail, webhook or contract is sent. The server’s administrator has to run: %command%',
    fr: 'Ces données ont été restaurées depuis la sauvegarde du %madeAt% et sont en attente de reprise : aucun e-mail, aucun webhook ni aucun contrat n’est envoyé. L’administrateur du serveur doit lancer : %command%',
    command: 'takeover',
  },

  'admin.nav': { en: 'Back office', fr: 'Administration' },
  'admin.nav.dashboard': { en: 'Dashboard', fr: 'Tableau de bord' },
  'admin.nav.requests': { en: 'Requests', fr: 'Demandes' },
  'admin.nav.contracts': { en: 'Contracts', fr: 'Contrats' },
  'admin.nav.payments': { en: 'Payments', fr: 'Paiements' },
  'admin.nav.report': { en: 'Report', fr: 'Rapport' },
  'admin.nav.failed': { en: 'Failed jobs', fr: 'Tâches en échec' },
  'admin.nav.inbox': { en: 'Events received', fr: 'Événements reçus' },
  'admin.nav.deliveries': { en: 'Deliveries', fr: 'Envois' },
  'admin.nav.users': { en: 'Customers', fr: 'Clients' },
  'admin.nav.technical': { en: 'Technical', fr: 'Technique' },
  'admin.technical.overview': { en: 'Overview', fr: 'Vue d’ensemble' },
  'admin.menu': { en: 'Menu', fr: 'Menu' },
  'admin.nav.sessions': { en: 'Your sessions', fr: 'Vos sessions' },
  'admin.nav.history': { en: 'History', fr: 'Historique' },
  'admin.nav.webhooks': { en: 'Webhooks', fr: 'Webhooks' },

  'admin.sign_out': { en: 'Log out', fr: 'Se déconnecter' },

  'admin.login.title': { en: 'Log in', fr: 'Connexion' },
  'admin.login.password': { en: 'Password', fr: 'Mot de passe' },
  'admin.login.refused': {
    en: 'Wrong e-mail address or password, or the account is closed.',
    fr: 'Adresse e-mail ou mot de passe incorrect, ou compte fermé.',
  },
  'admin.login.throttled': {
    en: plural(
      'Too many failed attempts. Wait a minute and try again.',
      'Too many failed attempts. Wait %count% minutes and try again.',
    ),
    fr: plural(
      'Trop de tentatives infructueuses. Attendez une minute, puis réessayez.',
      'Trop de tentatives infructueuses. Attendez %count% minutes, puis réessayez.',
    ),
  },
  'admin.login.ended': {
    en: 'Your session has ended. Please log in again.',
    fr: 'Votre session a pris fin. Veuillez vous reconnecter.',
  },

  'admin.arrival': { en: 'One moment…', fr: 'Un instant…' },
  'admin.zone': { en: 'Time zone: %zone%.', fr: 'Fuseau horaire : %zone%.' },

  'admin.error.403': { en: 'Not allowed', fr: 'Accès refusé' },
  'admin.error.403.text': {
    en: 'The back office is for administrators, and your account is not one of them.',
    fr: 'L’administration est réservée aux administrateurs. Votre compte n’a pas ce droit.',
  },
  'admin.error.404': { en: 'Not found', fr: 'Introuvable' },
  'admin.error.404.text': {
    en: 'There is nothing at this address. It may have been removed.',
    fr: 'Il n’y a rien à cette adresse. L’élément a peut-être été supprimé.',
  },
  'admin.error.413': { en: 'Too large', fr: 'Trop volumineux' },
  'admin.error.413.text': {
    en: 'What you sent is too large, and nothing was saved. The text of a form may have 1 MB, a CSV file 5 MB, a PDF 50 MB.',
    fr: 'Votre envoi est trop volumineux, et rien n’a été enregistré. Le texte d’un formulaire peut atteindre 1 Mo, un fichier CSV 5 Mo, un PDF 50 Mo.',
  },
  'admin.error.429': { en: 'Too many requests', fr: 'Trop de requêtes' },
  'admin.error.429.text': {
    en: 'Too many requests came from your address within a minute. Wait a moment and try again.',
    fr: 'Trop de requêtes depuis votre adresse en une minute. Patientez un instant, puis réessayez.',
  },
  'admin.error.503': { en: 'Not available right now', fr: 'Impossible pour le moment' },
  'admin.error.503.text': {
    en: 'This is not possible at the moment. Nothing was changed; try again shortly.',
    fr: 'C’est impossible pour le moment. Rien n’a été modifié ; réessayez dans un instant.',
  },
  'admin.error.other': { en: 'Something went wrong', fr: 'Une erreur s’est produite' },
  'admin.error.other.text': {
    en: 'The error has been logged. Try again, or give us the request ID below.',
    fr: 'L’erreur a été enregistrée. Réessayez, ou communiquez-nous l’identifiant ci-dessous.',
  },
  'admin.error.form': {
    en: 'This form has expired or belongs to another session. Go back, reload the page and try again.',
    fr: 'Ce formulaire a expiré ou appartient à une autre session. Revenez en arrière, rechargez la page et réessayez.',
  },
  'admin.error.id': { en: 'Request ID: %id%', fr: 'Identifiant de la requête : %id%' },
  'admin.error.back': { en: 'Back to the dashboard', fr: 'Retour au tableau de bord' },
  'admin.error.not_now': {
    en: 'This is not possible for the request right now.',
    fr: 'Cette action n’est pas possible sur cette demande pour le moment.',
  },
  'admin.error.reason': { en: 'Please give a reason.', fr: 'Veuillez indiquer un motif.' },

  'admin.field.payment_link': { en: 'Payment link', fr: 'Lien de paiement' },
  'admin.field.reason_optional': { en: 'Reason (optional)', fr: 'Motif (facultatif)' },

  'admin.locale.default': { en: 'Service default', fr: 'Langue du service' },
  'admin.locale.en': { en: 'English', fr: 'Anglais' },
  'admin.locale.fr': { en: 'French', fr: 'Français' },

  'admin.dashboard.open_jobs': { en: 'Jobs waiting or running', fr: 'Tâches en attente ou en cours' },
  'admin.dashboard.signature': {
    en: 'Waiting for a signature, longest first',
    fr: 'En attente de signature, les plus anciennes d’abord',
  },
  'admin.dashboard.payment': {
    en: 'Waiting for a payment, longest first',
    fr: 'En attente de paiement, les plus anciennes d’abord',
  },
  'admin.dashboard.failed': {
    en: 'Failed jobs, newest first',
    fr: 'Tâches en échec, les plus récentes d’abord',
  },
  'admin.dashboard.money': { en: 'Money', fr: 'Argent' },
  'admin.dashboard.ending': {
    en: 'Signing deadline within seven days',
    fr: 'Date limite de signature dans les sept jours',
  },
  'admin.dashboard.runs': { en: 'Scheduled tasks', fr: 'Tâches planifiées' },
  'admin.dashboard.expire': { en: 'Daily expiry', fr: 'Expiration quotidienne' },
  'admin.dashboard.reconcile': { en: 'Bulk check', fr: 'Vérification groupée' },
  'admin.dashboard.trails': { en: 'Audit trails', fr: 'Dossiers de preuve' },
  'admin.dashboard.payments': { en: 'Payment check', fr: 'Vérification des paiements' },
  'admin.dashboard.reminders': { en: 'Reminders', fr: 'Relances' },
  'admin.dashboard.housekeeping': { en: 'Nightly housekeeping', fr: 'Maintenance nocturne' },
  'admin.dashboard.digest': { en: 'Daily summary e-mail', fr: 'Récapitulatif quotidien' },
  'admin.dashboard.backup': { en: 'Backup', fr: 'Sauvegarde' },
  'admin.dashboard.offsite': { en: 'Last off-site copy', fr: 'Dernière copie hors site' },
  'admin.dashboard.no_copy': { en: 'none', fr: 'aucune' },
  'admin.dashboard.next': { en: 'next', fr: 'prochaine exécution' },
  'admin.dashboard.off': { en: 'off', fr: 'désactivé' },
  'admin.dashboard.late': { en: 'late', fr: 'en retard' },
  'admin.dashboard.never': { en: 'not yet', fr: 'pas encore' },
  'admin.dashboard.nothing_waits': {
    en: 'Nothing is waiting for a customer.',
    fr: 'Rien n’est en attente d’un client.',
  },
  'admin.dashboard.nothing_ends': {
    en: 'No signing deadline is near.',
    fr: 'Aucune date limite n’est proche.',
  },

  'admin.entry.new': { en: 'New request', fr: 'Nouvelle demande' },
  'admin.entry.edit': { en: 'Edit request', fr: 'Modifier la demande' },
  'admin.entry.created': { en: 'The request was entered.', fr: 'La demande a été enregistrée.' },
  'admin.entry.new_equipment': { en: 'A new one, as below', fr: 'Un nouveau, comme ci-dessous' },
  'admin.entry.two_equipments': {
    en: 'Choose “%choice%”, or leave its name, model and serial number empty.',
    fr: 'Choisissez « %choice% », ou laissez vides le nom, le modèle et le numéro de série.',
  },
  'admin.named': { en: '%name%: %words%', fr: '%name% : %words%' },
  'admin.import': { en: 'Import from a file', fr: 'Importer un fichier' },
  'admin.import.about': {
    en: 'A CSV file of customers, their equipment and requests. Its first line names the columns, in any order; only the e-mail address is needed. You see what would become of each row before anything is changed. What already exists stays as it is, and no invitations are sent.',
    fr: 'Un fichier CSV de clients, de leurs équipements et de leurs demandes. Sa première ligne nomme les colonnes, dans n’importe quel ordre ; seule l’adresse e-mail est nécessaire. Vous voyez ce que deviendrait chaque ligne avant tout changement. Ce qui existe déjà reste tel quel, et aucune invitation n’est envoyée.',
  },
  'admin.import.file': { en: 'CSV file', fr: 'Fichier CSV' },
  'admin.import.try': { en: 'Check the rows', fr: 'Vérifier les lignes' },
  'admin.import.found': {
    en: 'Nothing has been changed yet. New rows: %created%. Already there: %unchanged%. With a fault: %failed%.',
    fr: 'Rien n’a encore été modifié. Nouvelles lignes : %created%. Déjà présentes : %unchanged%. En erreur : %failed%.',
  },
  'admin.import.ignored': {
    en: 'These columns have unknown names and are left out: %columns%.',
    fr: 'Ces colonnes ont un nom inconnu et sont ignorées : %columns%.',
  },
  'admin.import.go': {
    en: plural('Import %count% row', 'Import %count% rows'),
    fr: plural('Importer %count% ligne', 'Importer %count% lignes'),
  },
  'admin.import.other': { en: 'Choose another file', fr: 'Choisir un autre fichier' },
  'admin.import.rows': { en: 'Rows', fr: 'Lignes' },
  'admin.import.row': { en: 'Content', fr: 'Contenu' },
  'admin.import.line': { en: 'Line', fr: 'Ligne' },
  'admin.import.lines': {
    en: plural('line %lines%', 'lines %lines%'),
    fr: plural('ligne %lines%', 'lignes %lines%'),
  },
  'admin.import.result': { en: 'Result', fr: 'Résultat' },
  'admin.import.created': { en: 'New row', fr: 'Nouvelle ligne' },
  'admin.import.unchanged': { en: 'Already there', fr: 'Déjà présente' },
  'admin.import.failed': { en: 'Fault', fr: 'En erreur' },
  'admin.import.empty': { en: 'The file has no rows.', fr: 'Le fichier n’a aucune ligne.' },
  'admin.import.done': {
    en: 'Imported. New rows: %created%. Already there: %unchanged%. Left out because of a fault: %failed%.',
    fr: 'Import terminé. Nouvelles lignes : %created%. Déjà présentes : %unchanged%. Non importées à cause d’une erreur : %failed%.',
  },
  'admin.offer.new': { en: 'Make an offer', fr: 'Faire une offre' },
  'admin.offer.about': {
    en: 'The offer counts as sent, and sets the price unless the request has one of its own.',
    fr: 'L’offre est considérée comme envoyée ; elle fixe le prix, sauf si la demande a le sien.',
  },
  'admin.offer.none': { en: 'There is no offer.', fr: 'Il n’y a pas d’offre.' },
  'admin.offer.not_now': {
    en: 'The offer cannot be answered like this.',
    fr: 'Cette réponse n’est pas possible pour cette offre.',
  },
  'admin.offer.accepted': { en: 'Mark as accepted', fr: 'Marquer comme acceptée' },
  'admin.offer.accepted.ask': {
    en: 'Did the customer accept offer %reference% of %price%? From now on it sets the price, unless the request has one of its own.',
    fr: 'Le client a-t-il accepté l’offre %reference% de %price% ? Elle fixera désormais le prix, sauf si la demande a le sien.',
  },
  'admin.offer.accepted.done': {
    en: 'Offer %reference% is accepted.',
    fr: 'L’offre %reference% est acceptée.',
  },
  'admin.offer.refused': { en: 'Mark as refused', fr: 'Marquer comme refusée' },
  'admin.offer.refused.ask': {
    en: 'Did the customer refuse offer %reference% of %price%? It stays refused; another one can be made.',
    fr: 'Le client a-t-il refusé l’offre %reference% de %price% ? Elle restera refusée ; une autre pourra être faite.',
  },
  'admin.offer.refused.done': {
    en: 'Offer %reference% is refused.',
    fr: 'L’offre %reference% est refusée.',
  },
  'admin.offer.created': { en: 'The offer was added.', fr: 'L’offre a été ajoutée.' },
  'admin.price.set': { en: 'Set a price', fr: 'Fixer un prix' },
  'admin.price.about': {
    en: 'It is the price of equipment whose name and model contain all these words, unless the request has a price or an offer of its own.',
    fr: 'C’est le prix des équipements dont le nom et le modèle contiennent tous ces mots, sauf si la demande a son propre prix ou une offre.',
  },
  'admin.price.is_set': { en: 'The price was set.', fr: 'Le prix a été fixé.' },
  'admin.price.remove': { en: 'Remove the price', fr: 'Supprimer le prix' },
  'admin.price.ask': {
    en: 'Take the price for “%words%” off the list?',
    fr: 'Supprimer de la liste le prix pour « %words% » ?',
  },
  'admin.price.removed': {
    en: 'The price for “%words%” was removed.',
    fr: 'Le prix pour « %words% » a été supprimé.',
  },
  'admin.reply': { en: 'Reply to the customer', fr: 'Réponse au client' },
  'admin.reply.about': {
    en: 'Paste this into an e-mail about %reference%. It describes the current state.',
    fr: 'À coller dans un e-mail au sujet de %reference%. Ce texte décrit l’état actuel.',
  },
  'admin.reply.copy': { en: 'Copy', fr: 'Copier' },
  'admin.reply.copied': { en: 'Copied', fr: 'Copié' },
  'admin.reply.back': { en: 'Back to the request', fr: 'Revenir à la demande' },

  'admin.trend': { en: 'The last three months', fr: 'Les trois derniers mois' },
  'admin.trend.sent': { en: 'Contracts sent', fr: 'Contrats envoyés' },
  'admin.trend.signed': { en: 'Signed', fr: 'Signés' },
  'admin.trend.paid': { en: 'Paid', fr: 'Payés' },
  'admin.trend.numbers': { en: 'Figures', fr: 'Chiffres' },
  'admin.trend.week': { en: 'Week from', fr: 'Semaine du' },
  'admin.trend.signs': {
    en: 'Half of the customers sign within %span%.',
    fr: 'La moitié des clients signent en %span%.',
  },
  'admin.trend.pays': {
    en: 'After signing, half of the customers pay within %span%.',
    fr: 'Après la signature, la moitié des clients paient en %span%.',
  },

  'admin.way.customer': { en: 'Correct the details', fr: 'Corriger les coordonnées' },

  'admin.todo': { en: 'Needs attention', fr: 'À traiter' },
  'admin.todo.none': { en: 'Nothing needs attention.', fr: 'Rien à traiter.' },
  'admin.todo.open': { en: 'Open', fr: 'Ouvrir' },
  'admin.todo.all': { en: 'Everything that needs attention', fr: 'Tout ce qui est à traiter' },
  'admin.todo.more': {
    en: 'Only the first %count% are shown.',
    fr: 'Seuls les %count% premiers sont affichés.',
  },

  'admin.run.expired': {
    en: plural('%count% contract expired', '%count% contracts expired'),
    fr: plural('%count% contrat expiré', '%count% contrats expirés'),
  },
  'admin.run.checked': {
    en: plural('%count% request checked', '%count% requests checked'),
    fr: plural('%count% demande vérifiée', '%count% demandes vérifiées'),
  },
  'admin.run.changed': {
    en: plural('%count% of them changed', '%count% of them changed'),
    fr: plural('dont %count% modifiée', 'dont %count% modifiées'),
  },
  'admin.run.failed': {
    en: plural('%count% without an answer', '%count% without an answer'),
    fr: plural('%count% sans réponse', '%count% sans réponse'),
  },
  'admin.run.kept': {
    en: plural('%count% stored', '%count% stored'),
    fr: plural('%count% enregistré', '%count% enregistrés'),
  },
  'admin.run.missing': {
    en: plural('%count% not there yet', '%count% not there yet'),
    fr: plural('%count% pas encore disponible', '%count% pas encore disponibles'),
  },
  'admin.run.reminded': {
    en: plural('%count% customer reminded', '%count% customers reminded'),
    fr: plural('%count% client relancé', '%count% clients relancés'),
  },

  'admin.find': { en: 'Find', fr: 'Chercher' },
  'admin.find.placeholder': { en: 'Name, REQ-…', fr: 'Nom, REQ-…' },
  'admin.find.title': {
    en: 'Any part of a name, e-mail address, phone number, serial number or title; or a reference, signId or paymentId',
    fr: 'Une partie du nom, de l’adresse e-mail, du téléphone, du numéro de série ou du titre ; ou une référence, un signId ou un paymentId',
  },

  'admin.requests.all': { en: 'All', fr: 'Toutes' },
  'admin.requests.all_of': { en: 'All: %state%', fr: 'Toutes : %state%' },
  'admin.requests.capped': {
    en: 'Only the newest %total% requests are shown; add words to narrow the search',
    fr: 'Seules les %total% demandes les plus récentes sont affichées ; ajoutez des mots pour affiner la recherche',
  },
  'admin.requests.empty': { en: 'There are no requests yet.', fr: 'Il n’y a pas encore de demande.' },
  'admin.requests.none': {
    en: 'No request matches these filters.',
    fr: 'Aucune demande ne correspond à ces filtres.',
  },
  'admin.requests.clear': { en: 'Show all', fr: 'Tout afficher' },

  'admin.paging': { en: 'Pages', fr: 'Pages' },
  'admin.paging.shown': { en: '%from% to %to% of %total%', fr: '%from% à %to% sur %total%' },
  'admin.paging.first': { en: 'First', fr: 'Première' },
  'admin.paging.previous': { en: 'Previous', fr: 'Précédente' },
  'admin.paging.next': { en: 'Next', fr: 'Suivante' },
  'admin.paging.last': { en: 'Last', fr: 'Dernière' },

  'admin.request.renews': { en: 'Renews', fr: 'Renouvelle' },
  'admin.request.renewal': { en: 'Renewed by', fr: 'Renouvelée par' },
  'admin.request.more': { en: 'See also', fr: 'Voir aussi' },
  'admin.request.facts': { en: 'The request', fr: 'La demande' },
  'admin.request.findings': { en: 'Where it stands', fr: 'Où elle en est' },
  'admin.request.earlier': {
    en: plural('%count% earlier attempt', '%count% earlier attempts'),
    fr: plural('%count% tentative précédente', '%count% tentatives précédentes'),
  },
  'admin.request.timeline': {
    en: 'What happened, newest first',
    fr: 'Ce qui s’est passé, le plus récent d’abord',
  },
  'admin.request.before': { en: 'Earlier entries', fr: 'Entrées plus anciennes' },
  'admin.request.nothing': { en: 'Nothing yet.', fr: 'Rien encore.' },
  'admin.request.export': { en: 'Export evidence', fr: 'Exporter les preuves' },
  'admin.request.export.made': { en: 'The evidence was exported.', fr: 'Les preuves ont été exportées.' },
  'admin.request.steps': {
    en: plural('%count% detail', '%count% details'),
    fr: plural('%count% détail', '%count% détails'),
  },

  'admin.contract.pdf': { en: 'PDF', fr: 'PDF' },
  'admin.contract.signed_pdf': { en: 'Signed PDF', fr: 'PDF signé' },

  'admin.ask.unknown': {
    en: 'The signature provider has a document of this installation that is not recorded here: “%name%” (%sign%). %advice% When that is done, settle the case. The reason is kept in the history.',
    fr: 'Le prestataire de signature a un document de cette installation qui n’est pas enregistré ici : « %name% » (%sign%). %advice% Une fois que c’est fait, réglez le cas. Le motif est conservé dans l’historique.',
  },

  'admin.ask.unknown_payment': {
    en: 'Payment %payment% (%paid%) came for a contract that is not recorded here. Refund it at the payment provider, or enter the request again and mark it as paid. When that is done, settle the case. The reason is kept in the history.',
    fr: 'Le paiement %payment% (%paid%) est arrivé pour un contrat qui n’est pas enregistré ici. Remboursez-le chez le prestataire de paiement, ou saisissez à nouveau la demande et marquez-la comme payée. Une fois que c’est fait, réglez le cas. Le motif est conservé dans l’historique.',
  },

  'admin.several.act': { en: 'With the selected requests:', fr: 'Avec les demandes sélectionnées :' },
  'admin.several.go_on': { en: 'Continue', fr: 'Continuer' },
  'admin.several.none': { en: 'Select some requests first.', fr: 'Sélectionnez d’abord des demandes.' },
  'admin.several.ask': {
    en: plural('%act%: %count% request?', '%act%: %count% requests?'),
    fr: plural('%act% : %count% demande ?', '%act% : %count% demandes ?'),
  },
  'admin.several.others': {
    en: 'Not possible right now, so these stay as they are:',
    fr: 'Impossible pour le moment ; celles-ci restent donc inchangées :',
  },
  'admin.several.impossible': {
    en: 'This is possible for none of them.',
    fr: 'Ce n’est possible pour aucune d’elles.',
  },
  'admin.several.no_pdf': {
    en: 'The service makes these contracts. To send a PDF of your own, open the request and start the signature there.',
    fr: 'Le service établit lui-même ces contrats. Pour envoyer votre propre PDF, ouvrez la demande et lancez la signature à partir de là.',
  },
  'admin.several.done': {
    en: plural('%count% request done.', '%count% requests done.'),
    fr: plural('%count% demande traitée.', '%count% demandes traitées.'),
  },
  'admin.several.some': {
    en: '%done% done, %failed% failed.',
    fr: 'Réussies : %done%. En échec : %failed%.',
  },
  'admin.several.going_on': {
    en: 'This is taking longer. It continues, and the list shows what is done.',
    fr: 'Cela prend plus de temps ; le travail continue, et la liste montre ce qui est fait.',
  },

  'admin.confirm.no': { en: 'Go back', fr: 'Retour' },

  'admin.failed.none': { en: 'No job has failed.', fr: 'Aucune tâche en échec.' },
  'admin.failed.total': {
    en: plural('%count% failed job', '%count% failed jobs'),
    fr: plural('%count% tâche en échec', '%count% tâches en échec'),
  },
  'admin.failed.shown': {
    en: 'The newest %shown% of %total% failed jobs',
    fr: 'Les %shown% plus récentes sur %total% tâches en échec',
  },
  'admin.failed.no_request': { en: 'Without a request', fr: 'Sans demande' },
  'admin.failed.choice': { en: 'Select', fr: 'Sélection' },
  'admin.failed.pick': { en: 'Select some jobs first.', fr: 'Sélectionnez d’abord des tâches.' },
  'admin.failed.pick_one': { en: 'Job %id%', fr: 'Tâche %id%' },
  'admin.failed.replay': { en: 'Try selected again', fr: 'Réessayer la sélection' },
  'admin.failed.remove': { en: 'Remove', fr: 'Supprimer' },
  'admin.failed.ask_remove': {
    en: plural(
      'Remove job %ids% for good? It will never run. This cannot be undone.',
      'Remove %count% jobs (%ids%) for good? They will never run. This cannot be undone.',
    ),
    fr: plural(
      'Supprimer définitivement la tâche %ids% ? Elle ne sera jamais exécutée. C’est irréversible.',
      'Supprimer définitivement %count% tâches (%ids%) ? Elles ne seront jamais exécutées. C’est irréversible.',
    ),
  },
  'admin.failed.removed': {
    en: plural('%count% job was removed for good.', '%count% jobs were removed for good.'),
    fr: plural('%count% tâche supprimée définitivement.', '%count% tâches supprimées définitivement.'),
  },
  'admin.failed.replayed': {
    en: plural('%count% job was run again and is done.', '%count% jobs were run again and are done.'),
    fr: plural('%count% tâche relancée avec succès.', '%count% tâches relancées avec succès.'),
  },
  'admin.failed.replayed_some': {
    en: 'Run again: %replayed% done, %failed% failed again or not done yet.',
    fr: 'Relancées : %replayed% réussies, %failed% encore en échec ou pas terminées.',
  },
  'admin.failed.waiting': { en: 'Jobs that are still waiting', fr: 'Tâches encore en attente' },
  'admin.failed.number': { en: 'Count', fr: 'Nombre' },
  'admin.failed.none_waits': {
    en: 'These jobs are no longer waiting.',
    fr: 'Ces tâches ne sont plus en attente.',
  },
  'admin.failed.push': { en: 'Try all now', fr: 'Tout relancer' },
  'admin.failed.ask_push': {
    en: plural(
      '%count% job of the kind “%kind%” is waiting. Try it now?',
      '%count% jobs of the kind “%kind%” are waiting. Try them all now?',
    ),
    fr: plural(
      '%count% tâche de type « %kind% » est en attente. La lancer maintenant ?',
      '%count% tâches de type « %kind% » sont en attente. Les lancer toutes maintenant ?',
    ),
  },
  'admin.failed.pushed': {
    en: plural(
      '%count% job is being tried now. If it fails again, it keeps waiting or appears in this list.',
      '%count% jobs are being tried now. Those that fail again keep waiting or appear in this list.',
    ),
    fr: plural(
      '%count% tâche est lancée maintenant. Si elle échoue encore, elle reste en attente ou revient dans cette liste.',
      '%count% tâches sont lancées maintenant. Celles qui échouent encore restent en attente ou reviennent dans cette liste.',
    ),
  },
  'admin.failed.pushed_some': {
    en: '%done% done, %failed% failed again; those are tried again automatically.',
    fr: 'Réussies : %done%. En échec : %failed% ; celles-ci seront réessayées automatiquement.',
  },
  'admin.failed.going_on': {
    en: plural(
      '%count% job is being retried. If it fails, it returns to this list.',
      '%count% jobs are being retried. Those that fail return to this list.',
    ),
    fr: plural(
      '%count% tâche est de nouveau en cours. Si elle échoue, elle revient dans cette liste.',
      '%count% tâches sont de nouveau en cours. Celles qui échouent reviennent dans cette liste.',
    ),
  },
  'admin.failed.none_fits': {
    en: 'No failed job matches these filters.',
    fr: 'Aucune tâche en échec ne correspond à ces filtres.',
  },
  'admin.failed.replay_all': {
    en: plural('Try again', 'Try all %count% again'),
    fr: plural('Réessayer', 'Réessayer les %count%'),
  },
  'admin.failed.show': {
    en: plural('Show %count% job', 'Show %count% jobs'),
    fr: plural('Afficher %count% tâche', 'Afficher %count% tâches'),
  },
  'admin.failed.oldest': { en: 'Oldest', fr: 'La plus ancienne' },
  'admin.failed.newest': { en: 'newest', fr: 'la plus récente' },
  'admin.failed.remove_ticked': { en: 'Remove selected', fr: 'Supprimer la sélection' },
  'admin.failed.group_gone': {
    en: 'These jobs are no longer on the list: they are being retried, have completed or were removed.',
    fr: 'Ces tâches ne sont plus dans la liste : elles sont relancées, terminées ou supprimées.',
  },
  'admin.failed.more_groups': {
    en: 'The %count% largest groups are shown.',
    fr: 'Seuls les %count% groupes les plus grands sont affichés.',
  },
  'admin.failed.advice.unavailable': {
    en: 'The service did not answer or was unavailable. Try again once it is back.',
    fr: 'Le service n’a pas répondu ou était indisponible. Réessayez quand il fonctionne à nouveau.',
  },
  'admin.failed.advice.rate_limited': {
    en: 'The service is limiting our requests. Wait a few minutes, then try again.',
    fr: 'Le service limite nos requêtes. Attendez quelques minutes, puis réessayez.',
  },
  'admin.failed.advice.unauthorized': {
    en: 'The service rejects our key. Correct it in the settings, then try again.',
    fr: 'Le service refuse notre clé. Corrigez-la dans les paramètres, puis réessayez.',
  },
  'admin.failed.advice.rejected': {
    en: 'The service rejects this. Fix what its message names, then try again.',
    fr: 'Le service refuse cette opération. Corrigez ce qu’indique son message, puis réessayez.',
  },
  'admin.failed.advice.not_found': {
    en: 'The service no longer has the record. The request page says what to do.',
    fr: 'Le service ne connaît plus cet élément. La page de la demande indique que faire.',
  },
  'admin.failed.advice.recipient_refused': {
    en: 'The address does not work. Correct it on the user’s page; the mail is then sent again.',
    fr: 'L’adresse ne fonctionne pas. Corrigez-la sur la page de l’utilisateur ; l’e-mail est alors renvoyé.',
  },
  'admin.failed.advice.server_refused': {
    en: 'The mail server refuses all mail from us. Sort this out with whoever runs it, then try again.',
    fr: 'Le serveur de messagerie refuse tous nos messages. Voyez cela avec la personne qui le gère, puis réessayez.',
  },
  'admin.failed.advice.too_large': {
    en: 'This mail is too large for the mail server.',
    fr: 'Ce message est trop volumineux pour le serveur de messagerie.',
  },
  'admin.failed.advice.receiver': {
    en: 'The receiver of the webhook did not accept it. Try again once it works again; until then, later events of this webhook may wait too.',
    fr: 'Le destinataire du webhook ne l’a pas accepté. Réessayez quand il fonctionne à nouveau ; d’ici là, les événements suivants peuvent attendre aussi.',
  },
  'admin.failed.advice.other': {
    en: 'The cause is not an outside service. Look up job %id% in the log, and try again once the cause is fixed.',
    fr: 'La cause n’est pas un service extérieur. Cherchez la tâche %id% dans le journal et réessayez une fois la cause corrigée.',
  },

  'admin.inbox.events': { en: 'Events from the providers', fr: 'Événements des prestataires' },
  'admin.inbox.rejected': { en: 'Rejected, newest first', fr: 'Rejetés, les plus récents d’abord' },
  'admin.inbox.none': { en: 'No events yet.', fr: 'Aucun événement reçu.' },
  'admin.inbox.none_rejected': { en: 'Nothing was rejected.', fr: 'Rien n’a été rejeté.' },
  'admin.inbox.event': { en: 'Event %id%', fr: 'Événement %id%' },
  'admin.inbox.body': { en: 'As received', fr: 'Tel que reçu' },
  'admin.inbox.none_fits': {
    en: 'No event matches these filters.',
    fr: 'Aucun événement ne correspond à ces filtres.',
  },

  'admin.deliveries.log': { en: 'What was sent to subscribers', fr: 'Ce qui a été envoyé aux abonnés' },
  'admin.deliveries.none': { en: 'Nothing has been sent yet.', fr: 'Rien n’a encore été envoyé.' },
  'admin.deliveries.none_fits': {
    en: 'No delivery matches these filters.',
    fr: 'Aucun envoi ne correspond à ces filtres.',
  },

  'admin.delivery': { en: 'Delivery %id%', fr: 'Envoi %id%' },
  'admin.delivery.facts': { en: 'The delivery', fr: 'L’envoi' },
  'admin.delivery.attempts': { en: 'Attempts, newest first', fr: 'Tentatives, les plus récentes d’abord' },
  'admin.delivery.none': { en: 'No attempt has been made yet.', fr: 'Aucune tentative pour l’instant.' },
  'admin.delivery.answer': { en: 'Answer', fr: 'Réponse' },
  'admin.delivery.took': { en: 'Took', fr: 'Durée' },
  'admin.delivery.body': { en: 'What is sent', fr: 'Ce qui est envoyé' },
  'admin.delivery.redeliver': { en: 'Send again', fr: 'Renvoyer' },
  'admin.delivery.owed': {
    en: 'The delivery is being sent again, unchanged and with the same ID.',
    fr: 'Le même contenu est renvoyé, sous le même identifiant.',
  },

  'admin.sessions.this': { en: 'this one', fr: 'celle-ci' },
  'admin.sessions.end': { en: 'End', fr: 'Fermer' },
  'admin.sessions.end_others': { en: 'End all others', fr: 'Fermer toutes les autres' },
  'admin.sessions.ended': {
    en: plural('%count% session was ended.', '%count% sessions were ended.'),
    fr: plural('%count% session fermée.', '%count% sessions fermées.'),
  },

  'admin.users.add': { en: 'Add user', fr: 'Ajouter un utilisateur' },
  'admin.users.none': { en: 'No user matches.', fr: 'Aucun utilisateur ne correspond.' },
  'admin.users.requests': { en: 'Requests of this customer', fr: 'Demandes de ce client' },
  'admin.users.enable': { en: 'Reopen', fr: 'Rouvrir' },
  'admin.users.disable': { en: 'Close account', fr: 'Fermer le compte' },
  'admin.users.ask_disable': {
    en: 'Close the account of %username%? All its sessions and tokens end immediately.',
    fr: 'Fermer le compte de %username% ? Toutes ses sessions et tous ses jetons prennent fin immédiatement.',
  },
  'admin.users.promote': { en: 'Make administrator', fr: 'Nommer administrateur' },
  'admin.users.demote': { en: 'Remove administrator rights', fr: 'Retirer les droits d’administrateur' },
  'admin.users.ask_promote': {
    en: 'Make %username% an administrator? From then on, they can see and change everything.',
    fr: 'Nommer %username% administrateur ? Cette personne pourra dès lors tout voir et tout modifier.',
  },
  'admin.users.ask_demote': {
    en: 'Remove administrator rights from %username%? From their next click, they will see only their own data.',
    fr: 'Retirer les droits d’administrateur de %username% ? Dès son prochain clic, cette personne ne verra plus que ses propres données.',
  },
  'admin.users.role_set': { en: 'The role was changed.', fr: 'Le rôle a été modifié.' },
  'admin.users.enabled': { en: 'The account is open again.', fr: 'Le compte est rouvert.' },
  'admin.users.disabled': { en: 'The account is closed.', fr: 'Le compte est fermé.' },
  'admin.users.added': { en: 'The user was added.', fr: 'L’utilisateur a été ajouté.' },
  'admin.users.faults': {
    en: 'Please check the fields below.',
    fr: 'Veuillez vérifier les champs ci-dessous.',
  },
  'admin.users.current_password': { en: 'Your current password', fr: 'Votre mot de passe actuel' },
  'admin.users.proof_hint': {
    en: 'Only for another e-mail address.',
    fr: 'Seulement pour changer d’adresse e-mail.',
  },
  'admin.users.password_hint': {
    en: '12 to 128 characters. All sessions and tokens of the user end.',
    fr: '12 à 128 caractères. Toutes les sessions et tous les jetons de l’utilisateur prennent fin.',
  },
  'admin.users.profile': { en: 'Name, phone and language', fr: 'Nom, téléphone et langue' },
  'admin.users.save': { en: 'Save', fr: 'Enregistrer' },
  'admin.users.saved': { en: 'Saved.', fr: 'Enregistré.' },
  'admin.users.corrected': {
    en: 'Saved. The signature provider has the new details and will send the link again.',
    fr: 'Enregistré. Le prestataire de signature a les nouvelles données et renvoie le lien.',
  },
  'admin.users.not_corrected': {
    en: 'Saved here, but the signature provider does not have the new details yet for %references%. This will be retried automatically; saving again retries now. If the provider rejects them, send a new contract.',
    fr: 'Enregistré ici, mais le prestataire de signature n’a pas encore les nouvelles données pour %references%. Une nouvelle tentative aura lieu automatiquement ; enregistrer de nouveau réessaie tout de suite. S’il les refuse, envoyez un nouveau contrat.',
  },
  'admin.users.password_set': { en: 'The password was set.', fr: 'Le mot de passe a été défini.' },
  'admin.users.data': { en: 'Personal data', fr: 'Données personnelles' },
  'admin.users.export': { en: 'Export data', fr: 'Exporter les données' },
  'admin.users.erase': { en: 'Erase personal data', fr: 'Effacer les données personnelles' },
  'admin.users.ask_erase': {
    en: 'Erase everything that identifies %username%? %requests% requests, %contracts% contracts, %pdfs% PDFs, %mails% e-mails and %jobs% jobs are removed or made anonymous. This cannot be undone. Earlier backups still contain the data.',
    fr: 'Effacer tout ce qui permet d’identifier %username% ? %requests% demandes, %contracts% contrats, %pdfs% PDF, %mails% e-mails et %jobs% tâches sont supprimés ou rendus anonymes. C’est irréversible. Les sauvegardes antérieures contiennent encore les données.',
  },
  'admin.users.erased': {
    en: 'The personal data was erased. Earlier backups still contain it, and so do the providers.',
    fr: 'Les données personnelles ont été effacées. Les sauvegardes antérieures les contiennent encore, les prestataires aussi.',
  },
  'admin.users.kept.until': { en: 'kept until %day%', fr: 'à conserver jusqu’au %day%' },
  'admin.users.kept.no_end': { en: 'in force with no end date', fr: 'en vigueur sans date de fin' },
  'admin.users.no_password': { en: 'not set yet', fr: 'pas encore défini' },
  'admin.users.added_invited': {
    en: 'The user was added, and an e-mail with a link to set a password is on its way.',
    fr: 'L’utilisateur a été ajouté ; un e-mail avec un lien pour définir son mot de passe est en route.',
  },
  'admin.users.invite': { en: 'Send invitation again', fr: 'Renvoyer l’invitation' },
  'admin.users.invited': { en: 'The invitation is on its way.', fr: 'L’invitation est en route.' },
  'admin.users.password_or_invite': {
    en: '12 to 128 characters. Leave it empty to invite the user by e-mail.',
    fr: '12 à 128 caractères. Laissez vide pour inviter cette personne par e-mail.',
  },

  'admin.history.all': { en: 'Who did what, newest first', fr: 'Qui a fait quoi, le plus récent d’abord' },
  'admin.history.none': { en: 'No matching entries.', fr: 'Aucune entrée ne correspond.' },
  'admin.history.noun.data': { en: 'Data', fr: 'Données' },
  'admin.history.noun.database': { en: 'Database', fr: 'Base de données' },
  'admin.history.noun.job': { en: 'Jobs', fr: 'Tâches' },
  'admin.history.noun.mail': { en: 'E-mails', fr: 'E-mails' },
  'admin.history.noun.settings': { en: 'Settings', fr: 'Paramètres' },
  'admin.history.more': { en: 'Full history', fr: 'Tout l’historique' },

  'admin.quoted': { en: '“%words%”', fr: '« %words% »' },
  'admin.just_now': { en: 'just now', fr: 'à l’instant' },

  'admin.webhooks.all': { en: 'Who is notified of what', fr: 'Qui est informé de quoi' },
  'admin.webhooks.none': {
    en: 'Nobody has subscribed to anything yet.',
    fr: 'Personne n’est encore abonné.',
  },
  'admin.webhooks.none_fits': {
    en: 'No webhook matches these filters.',
    fr: 'Aucun webhook ne correspond à ces filtres.',
  },

  'admin.webhook': { en: 'Webhook %id%', fr: 'Webhook %id%' },
  'admin.webhook.facts': { en: 'The webhook', fr: 'Le webhook' },
  'admin.webhook.no_success': { en: 'nothing in the log', fr: 'rien dans le journal' },
  'admin.webhook.failed': { en: 'Never arrived', fr: 'Jamais arrivés' },
  'admin.webhook.waiting': { en: 'Waiting for the next attempt', fr: 'En attente de la prochaine tentative' },
  'admin.webhook.deliveries': { en: 'Newest deliveries', fr: 'Derniers envois' },
  'admin.webhook.all_deliveries': { en: 'All deliveries', fr: 'Tous les envois' },
  'admin.webhook.ping': { en: 'Ping', fr: 'Ping' },
  'admin.webhook.pinged': {
    en: 'The receiver answered after %ms% ms.',
    fr: 'Le destinataire a répondu en %ms% ms.',
  },
  'admin.webhook.ping_failed': {
    en: 'The receiver did not accept the ping: %outcome%.',
    fr: 'Le destinataire n’a pas accepté le ping : %outcome%.',
  },
  'admin.webhook.enable': { en: 'Switch on', fr: 'Activer' },
  'admin.webhook.enabled': { en: 'The webhook is switched on.', fr: 'Le webhook est activé.' },
  'admin.webhook.disable': { en: 'Switch off', fr: 'Désactiver' },
  'admin.webhook.disabled': { en: 'The webhook is switched off.', fr: 'Le webhook est désactivé.' },
  'admin.webhook.ask_disable': {
    en: 'Switch off the webhook to %url%? Until it is switched on again, nothing new is sent to it.',
    fr: 'Désactiver le webhook vers %url% ? Tant qu’il n’est pas réactivé, plus rien ne lui est envoyé.',
  },
  'admin.webhook.redeliver': {
    en: 'Send all failed deliveries again',
    fr: 'Renvoyer les envois en échec',
  },
  'admin.webhook.ask_redeliver': {
    en: plural(
      'Send %count% delivery that never arrived to %url% again? The same bytes are sent under the same ID.',
      'Send %count% deliveries that never arrived to %url% again? The same bytes are sent under the same IDs.',
    ),
    fr: plural(
      'Renvoyer vers %url% %count% envoi jamais arrivé ? Ce sont les mêmes octets sous le même identifiant.',
      'Renvoyer vers %url% %count% envois jamais arrivés ? Ce sont les mêmes octets sous les mêmes identifiants.',
    ),
  },
  'admin.webhook.owed': {
    en: plural('%count% delivery is being sent again.', '%count% deliveries are being sent again.'),
    fr: plural('%count% envoi est en cours de renvoi.', '%count% envois sont en cours de renvoi.'),
  },

  'admin.nav.equipments': { en: 'Equipment', fr: 'Équipements' },
  'admin.nav.offers': { en: 'Offers', fr: 'Offres' },
  'admin.nav.prices': { en: 'Price list', fr: 'Liste de prix' },
  'admin.nav.troubleshootings': { en: 'Troubleshooting', fr: 'Dépannage' },
  'admin.nav.jobs': { en: 'Open jobs', fr: 'Tâches en cours' },
  'admin.report.overdue': {
    en: 'Overdue: still unpaid after the last reminder. A contract whose money is on its way or waits for a decision is not overdue.',
    fr: 'En retard : toujours impayé après le dernier rappel. Un contrat dont l’argent est en route ou attend une décision n’est pas en retard.',
  },
  'admin.report.months': { en: 'The last twelve months', fr: 'Les douze derniers mois' },
  'admin.report.month': { en: 'Month', fr: 'Mois' },
  'admin.report.none': { en: 'Nothing in this month.', fr: 'Rien ce mois-ci.' },
  'admin.list.none': { en: 'There is nothing here yet.', fr: 'Il n’y a encore rien ici.' },
  'admin.list.none_fits': { en: 'Nothing matches these filters.', fr: 'Rien ne correspond à ces filtres.' },
  'admin.list.any': { en: 'All', fr: 'Tout' },
  'admin.list.unknown': { en: 'Nothing matches “%typed%”.', fr: 'Rien ne correspond à « %typed% ».' },
  'admin.list.sort': { en: 'Sort by', fr: 'Trier par' },
  'admin.list.csv': { en: 'Export as CSV', fr: 'Exporter en CSV' },
  'admin.list.ignored': {
    en: '“%value%” is not a valid value for “%name%” and was ignored.',
    fr: '« %value% » n’est pas une valeur valable pour « %name% » et a été ignoré.',
  },
  'admin.list.no_page': {
    en: 'There is no page “%page%”. This is the first page.',
    fr: 'Il n’y a pas de page « %page% ». Voici la première page.',
  },
  'admin.list.last_page': {
    en: 'There is no page %page%. This is the last page.',
    fr: 'Il n’y a pas de page %page%. Voici la dernière page.',
  },
  'admin.list.too_many': {
    en: 'At most %max% can be selected at once, not %count%.',
    fr: 'On peut en sélectionner au plus %max% à la fois, pas %count%.',
  },
  'admin.list.order': { en: 'Order', fr: 'Ordre' },

  'admin.unknown_payment.gone': {
    en: 'This payment no longer needs attention: it has been settled.',
    fr: 'Ce paiement ne demande plus rien : il a été réglé.',
  },
  'admin.unknown.gone': {
    en: 'This document no longer needs attention: it has been settled, is known by now, or has ended.',
    fr: 'Ce document ne demande plus rien : il a été réglé, est désormais connu ou a pris fin.',
  },
});

/** What the history tells about, by the first part of its words. */
const nouns = {
  'admin.history.noun.contract': TEXTS['list.contract'],
  'admin.history.noun.contracts': adminTexts['admin.dashboard.expire'],
  'admin.history.noun.equipment': TEXTS['list.equipment'],
  'admin.history.noun.inbox': adminTexts['admin.nav.inbox'],
  'admin.history.noun.offer': adminTexts['admin.nav.offers'],
  'admin.history.noun.payment': TEXTS['evidence.payment'],
  'admin.history.noun.price': adminTexts['admin.nav.prices'],
  'admin.history.noun.request': TEXTS['list.request'],
  'admin.history.noun.signature': TEXTS['pdf.signature.box'],
  'admin.history.noun.signatures': adminTexts['admin.dashboard.reconcile'],
  'admin.history.noun.troubleshooting': adminTexts['admin.nav.troubleshootings'],
  'admin.history.noun.user': adminTexts['admin.nav.users'],
  'admin.history.noun.webhook': adminTexts['admin.nav.webhooks'],
};

export const PAGE_TEXTS = joined(TEXTS, adminTexts, nouns);

type PageTexts = typeof PAGE_TEXTS;
export type PageKey = keyof PageTexts;
/** A label: it needs no parameters. */
export type PageLabel = KeyNaming<PageTexts, never>;
export type SayOnPages = Say<PageTexts>;

export function sayOnPages(locale: Locale, write?: WriteCommand): SayOnPages {
  return sayFrom(PAGE_TEXTS, locale, write);
}
