package org.ibidem.serial;

import java.util.HashSet;
import java.util.Set;

/// The exceptions and errors of the JDK, and of Ibidem, that whoever waits for a result lets in: a
/// method that declares none of them may throw any. `ThrowablesTest` has looked at each: what a
/// `readObject` of theirs does, and that what their fields hold is asked for as everything else is.
/// Those of the JDK that are not here begin published chains, parse, or never travel; whoever
/// declares them gets them.
public final class ReviewedThrowables {
    /// A package, and the classes in it.
    private static final String LIST =
            """
            com.sun.jdi. AbsentInformationException ClassNotLoadedException
                ClassNotPreparedException IncompatibleThreadStateException
                InconsistentDebugInfoException InternalException InvalidCodeIndexException
                InvalidLineNumberException InvalidModuleException InvalidStackFrameException
                InvalidTypeException InvocationException NativeMethodException
                ObjectCollectedException OpaqueFrameException VMCannotBeModifiedException
                VMDisconnectedException VMMismatchException VMOutOfMemoryException
            com.sun.jdi.connect. IllegalConnectorArgumentsException TransportTimeoutException
                VMStartException
            com.sun.jdi.connect.spi. ClosedConnectionException
            com.sun.jdi.request. DuplicateRequestException InvalidRequestStateException
            com.sun.nio.sctp. IllegalReceiveException IllegalUnbindException
                InvalidStreamException
            com.sun.tools.attach. AgentInitializationException AgentLoadException
                AttachNotSupportedException AttachOperationFailedException
            java.awt. AWTError AWTException FontFormatException HeadlessException
                IllegalComponentStateException
            java.awt.color. CMMException ProfileDataException
            java.awt.datatransfer. MimeTypeParseException UnsupportedFlavorException
            java.awt.dnd. InvalidDnDOperationException
            java.awt.geom. IllegalPathStateException NoninvertibleTransformException
            java.awt.image. ImagingOpException RasterFormatException
            java.awt.print. PrinterAbortException PrinterException PrinterIOException
            java.beans. IntrospectionException PropertyVetoException
            java.io. CharConversionException EOFException FileNotFoundException IOError
                IOException InterruptedIOException InvalidClassException InvalidObjectException
                NotActiveException NotSerializableException ObjectStreamException
                OptionalDataException StreamCorruptedException SyncFailedException
                UTFDataFormatException UncheckedIOException UnsupportedEncodingException
                WriteAbortedException
            java.lang. AbstractMethodError ArithmeticException ArrayIndexOutOfBoundsException
                ArrayStoreException AssertionError BootstrapMethodError ClassCastException
                ClassCircularityError ClassFormatError ClassNotFoundException
                CloneNotSupportedException EnumConstantNotPresentException Error Exception
                ExceptionInInitializerError IllegalAccessError IllegalAccessException
                IllegalArgumentException IllegalCallerException IllegalMonitorStateException
                IllegalStateException IllegalThreadStateException IncompatibleClassChangeError
                IndexOutOfBoundsException InstantiationError InstantiationException
                InternalError InterruptedException LayerInstantiationException LinkageError
                MatchException NegativeArraySizeException NoClassDefFoundError NoSuchFieldError
                NoSuchFieldException NoSuchMethodError NoSuchMethodException
                NullPointerException NumberFormatException OutOfMemoryError
                ReflectiveOperationException RuntimeException SecurityException
                StackOverflowError StringIndexOutOfBoundsException ThreadDeath Throwable
                TypeNotPresentException UnknownError UnsatisfiedLinkError
                UnsupportedClassVersionError UnsupportedOperationException VerifyError
                VirtualMachineError WrongThreadException
            java.lang.annotation. AnnotationFormatError AnnotationTypeMismatchException
                IncompleteAnnotationException
            java.lang.classfile.constantpool. ConstantPoolException
            java.lang.instrument. IllegalClassFormatException UnmodifiableClassException
                UnmodifiableModuleException
            java.lang.invoke. LambdaConversionException StringConcatException
                WrongMethodTypeException
            java.lang.module. FindException InvalidModuleDescriptorException ResolutionException
            java.lang.reflect. GenericSignatureFormatError InaccessibleObjectException
                InvocationTargetException MalformedParameterizedTypeException
                MalformedParametersException UndeclaredThrowableException
            java.net. BindException ConnectException HttpRetryException MalformedURLException
                NoRouteToHostException PortUnreachableException ProtocolException
                SocketException SocketTimeoutException URISyntaxException UnknownHostException
                UnknownServiceException
            java.net.http. HttpConnectTimeoutException HttpTimeoutException
                WebSocketHandshakeException
            java.nio. BufferOverflowException BufferUnderflowException InvalidMarkException
                ReadOnlyBufferException
            java.nio.channels. AcceptPendingException AlreadyBoundException
                AlreadyConnectedException AsynchronousCloseException CancelledKeyException
                ClosedByInterruptException ClosedChannelException ClosedSelectorException
                ConnectionPendingException FileLockInterruptionException
                IllegalBlockingModeException IllegalChannelGroupException
                IllegalSelectorException InterruptedByTimeoutException
                NoConnectionPendingException NonReadableChannelException
                NonWritableChannelException NotYetBoundException NotYetConnectedException
                OverlappingFileLockException ReadPendingException ShutdownChannelGroupException
                UnresolvedAddressException UnsupportedAddressTypeException WritePendingException
            java.nio.charset. CharacterCodingException CoderMalfunctionError
                IllegalCharsetNameException MalformedInputException UnmappableCharacterException
                UnsupportedCharsetException
            java.nio.file. AccessDeniedException AtomicMoveNotSupportedException
                ClosedDirectoryStreamException ClosedFileSystemException
                ClosedWatchServiceException DirectoryIteratorException
                DirectoryNotEmptyException FileAlreadyExistsException
                FileSystemAlreadyExistsException FileSystemException FileSystemLoopException
                FileSystemNotFoundException InvalidPathException NoSuchFileException
                NotDirectoryException NotLinkException ProviderMismatchException
                ProviderNotFoundException ReadOnlyFileSystemException
            java.nio.file.attribute. UserPrincipalNotFoundException
            java.rmi. AccessException AlreadyBoundException ConnectException ConnectIOException
                MarshalException NoSuchObjectException NotBoundException RMISecurityException
                RemoteException ServerError ServerException ServerRuntimeException
                StubNotFoundException UnexpectedException UnknownHostException
                UnmarshalException
            java.rmi.server. ExportException ServerCloneException ServerNotActiveException
                SkeletonMismatchException SkeletonNotFoundException SocketSecurityException
            java.security. AccessControlException DigestException GeneralSecurityException
                InvalidAlgorithmParameterException InvalidKeyException InvalidParameterException
                KeyException KeyManagementException KeyStoreException NoSuchAlgorithmException
                NoSuchProviderException PrivilegedActionException ProviderException
                SignatureException UnrecoverableEntryException UnrecoverableKeyException
            java.security.cert. CRLException CertPathBuilderException CertPathValidatorException
                CertStoreException CertificateEncodingException CertificateException
                CertificateExpiredException CertificateNotYetValidException
                CertificateParsingException
            java.security.spec. InvalidKeySpecException InvalidParameterSpecException
            java.sql. BatchUpdateException DataTruncation SQLClientInfoException
                SQLDataException SQLException SQLFeatureNotSupportedException
                SQLIntegrityConstraintViolationException SQLInvalidAuthorizationSpecException
                SQLNonTransientConnectionException SQLNonTransientException
                SQLRecoverableException SQLSyntaxErrorException SQLTimeoutException
                SQLTransactionRollbackException SQLTransientConnectionException
                SQLTransientException SQLWarning
            java.text. ParseException
            java.time. DateTimeException
            java.time.format. DateTimeParseException
            java.time.temporal. UnsupportedTemporalTypeException
            java.time.zone. ZoneRulesException
            java.util. ConcurrentModificationException DuplicateFormatFlagsException
                EmptyStackException FormatFlagsConversionMismatchException
                FormatterClosedException IllegalFormatArgumentIndexException
                IllegalFormatCodePointException IllegalFormatConversionException
                IllegalFormatException IllegalFormatFlagsException
                IllegalFormatPrecisionException IllegalFormatWidthException
                IllformedLocaleException InputMismatchException MissingFormatArgumentException
                MissingFormatWidthException MissingResourceException NoSuchElementException
                ServiceConfigurationError TooManyListenersException
                UnknownFormatConversionException UnknownFormatFlagsException
            java.util.concurrent. BrokenBarrierException CancellationException
                CompletionException ExecutionException RejectedExecutionException
                StructureViolationException StructuredTaskScope$FailedException
                StructuredTaskScope$TimeoutException TimeoutException
            java.util.jar. JarException
            java.util.prefs. BackingStoreException InvalidPreferencesFormatException
            java.util.regex. PatternSyntaxException
            java.util.zip. DataFormatException ZipError ZipException
            javax.annotation.processing. FilerException
            javax.crypto. AEADBadTagException BadPaddingException DecapsulateException
                ExemptionMechanismException IllegalBlockSizeException NoSuchPaddingException
                ShortBufferException
            javax.imageio. IIOException
            javax.imageio.metadata. IIOInvalidTreeException
            javax.lang.model. UnknownEntityException
            javax.lang.model.element. UnknownAnnotationValueException UnknownDirectiveException
                UnknownElementException
            javax.lang.model.type. MirroredTypeException MirroredTypesException
                UnknownTypeException
            javax.management. AttributeNotFoundException BadBinaryOpValueExpException
                BadStringOperationException InstanceAlreadyExistsException
                InstanceNotFoundException IntrospectionException InvalidApplicationException
                InvalidAttributeValueException JMException JMRuntimeException
                ListenerNotFoundException MBeanException MBeanRegistrationException
                MalformedObjectNameException NotCompliantMBeanException OperationsException
                ReflectionException RuntimeErrorException RuntimeMBeanException
                RuntimeOperationsException ServiceNotFoundException
            javax.management.modelmbean. InvalidTargetObjectTypeException XMLParseException
            javax.management.monitor. MonitorSettingException
            javax.management.openmbean. InvalidKeyException InvalidOpenTypeException
                KeyAlreadyExistsException OpenDataException
            javax.management.relation. InvalidRelationIdException
                InvalidRelationServiceException InvalidRelationTypeException
                InvalidRoleInfoException InvalidRoleValueException RelationException
                RelationNotFoundException RelationServiceNotRegisteredException
                RelationTypeNotFoundException RoleInfoNotFoundException RoleNotFoundException
            javax.management.remote. JMXProviderException JMXServerErrorException
            javax.naming. AuthenticationException AuthenticationNotSupportedException
                CannotProceedException CommunicationException ConfigurationException
                ContextNotEmptyException InsufficientResourcesException
                InterruptedNamingException InvalidNameException LimitExceededException
                LinkException LinkLoopException MalformedLinkException NameAlreadyBoundException
                NameNotFoundException NamingException NamingSecurityException
                NoInitialContextException NoPermissionException NotContextException
                OperationNotSupportedException PartialResultException ReferralException
                ServiceUnavailableException SizeLimitExceededException
                TimeLimitExceededException
            javax.naming.directory. AttributeInUseException AttributeModificationException
                InvalidAttributeIdentifierException InvalidAttributeValueException
                InvalidAttributesException InvalidSearchControlsException
                InvalidSearchFilterException NoSuchAttributeException SchemaViolationException
            javax.naming.ldap. LdapReferralException
            javax.net.ssl. SSLException SSLHandshakeException SSLKeyException
                SSLPeerUnverifiedException SSLProtocolException
            javax.print. PrintException
            javax.print.attribute. UnmodifiableSetException
            javax.script. ScriptException
            javax.security.auth. DestroyFailedException RefreshFailedException
            javax.security.auth.callback. UnsupportedCallbackException
            javax.security.auth.login. AccountException AccountExpiredException
                AccountLockedException AccountNotFoundException CredentialException
                CredentialExpiredException CredentialNotFoundException FailedLoginException
                LoginException
            javax.security.cert. CertificateEncodingException CertificateException
                CertificateExpiredException CertificateNotYetValidException
                CertificateParsingException
            javax.security.sasl. AuthenticationException SaslException
            javax.smartcardio. CardException CardNotPresentException
            javax.sound.midi. InvalidMidiDataException MidiUnavailableException
            javax.sound.sampled. LineUnavailableException UnsupportedAudioFileException
            javax.sql.rowset. RowSetWarning
            javax.sql.rowset.serial. SerialException
            javax.sql.rowset.spi. SyncFactoryException SyncProviderException
            javax.swing. UnsupportedLookAndFeelException
            javax.swing.text. BadLocationException ChangedCharSetException
            javax.swing.tree. ExpandVetoException
            javax.swing.undo. CannotRedoException CannotUndoException
            javax.transaction.xa. XAException
            javax.xml.catalog. CatalogException
            javax.xml.crypto. KeySelectorException MarshalException NoSuchMechanismException
                URIReferenceException
            javax.xml.crypto.dsig. TransformException XMLSignatureException
            javax.xml.datatype. DatatypeConfigurationException
            javax.xml.parsers. FactoryConfigurationError ParserConfigurationException
            javax.xml.stream. FactoryConfigurationError XMLStreamException
            javax.xml.transform. TransformerConfigurationException TransformerException
                TransformerFactoryConfigurationError
            javax.xml.validation. SchemaFactoryConfigurationError
            javax.xml.xpath. XPathException XPathExpressionException
                XPathFactoryConfigurationException XPathFunctionException
            jdk.dynalink. NoSuchDynamicMethodException
            jdk.jshell. EvalException JShellException UnresolvedReferenceException
            jdk.jshell.spi. ExecutionControl$ClassInstallException
                ExecutionControl$EngineTerminationException
                ExecutionControl$ExecutionControlException ExecutionControl$InternalException
                ExecutionControl$NotImplementedException ExecutionControl$ResolutionException
                ExecutionControl$RunException ExecutionControl$StoppedException
                ExecutionControl$UserException SPIResolutionException
            jdk.security.jarsigner. JarSignerException
            netscape.javascript. JSException
            org.ietf.jgss. GSSException
            org.w3c.dom. DOMException
            org.w3c.dom.events. EventException
            org.w3c.dom.ls. LSException
            org.w3c.dom.ranges. RangeException
            org.w3c.dom.xpath. XPathException
            org.xml.sax. SAXException SAXNotRecognizedException SAXNotSupportedException
                SAXParseException
            sun.net. ConnectionResetException
            sun.nio.fs. UnixException
            sun.security.provider.certpath. SunCertPathBuilderException
            sun.security.validator. ValidatorException
            sun.util.locale. LocaleSyntaxException
            org.ibidem. IbidemException
            org.ibidem.config. NotationException SettingException
            org.ibidem.buffer. Malformed
            org.ibidem.connect. Unreachable
            org.ibidem.messaging. CallFailed UnexpectedObject
            org.ibidem.selector. NoWay
            org.ibidem.vlink. VLinkFailed
            org.ibidem.circuit. CircuitBroken
            org.ibidem.link. LinkBroken
            org.ibidem.registry. Departed NotAMember TooFewMembers JoinRefused HubUnreachable
            org.ibidem.registry.coordination. PoolRestarted OperationRefused
            org.ibidem.port. MessageAbandoned NotAllConnected ObjectRefused NotConnected
                ConnectRefused ConnectionLost ReadMismatch PortClosed WriteTimedOut
                PortNameTaken
            org.ibidem.arbitration. WaitInterrupted
            org.ibidem.accept. CannotListen
            org.ibidem.channel. ChannelRefused
            org.ibidem.control. ServiceFailed
            org.ibidem.handshake. HandshakeFailed NotDirect
            org.ibidem.identity. BadIdentity BadKey
            org.ibidem.trust. BadCertificate NotTrusted
            org.ibidem.tls. SessionBroken
            org.ibidem.rmi. ReplyLost CallTimedOut
            """;

    /// What is in fields of theirs: reasons, and a name whose `readObject` takes strings.
    private static final Set<String> HELD =
            Set.of(
                    "java.lang.StackTraceElement",
                    "java.security.cert.CertPathValidatorException$BasicReason",
                    "java.security.cert.PKIXReason",
                    "javax.naming.CompositeName");

    private static final Set<String> NAMES = names();

    private ReviewedThrowables() {}

    /// Whether it is the name of one, or of what is in its fields.
    public static boolean has(String name) {
        return NAMES.contains(name) || HELD.contains(name);
    }

    /// Their names.
    public static Set<String> all() {
        return NAMES;
    }

    private static Set<String> names() {
        var names = new HashSet<String>();
        var prefix = "";
        for (var word : LIST.strip().split("\\s+", -1)) {
            if (word.endsWith(".")) {
                prefix = word;
            } else {
                names.add(prefix + word);
            }
        }
        return Set.copyOf(names);
    }
}
