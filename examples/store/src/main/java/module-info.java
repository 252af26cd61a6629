/// An example of docs/serialization.md.
module org.example.store {
    requires org.ibidem.serial;

    opens org.example.store to
            org.ibidem.serial; // which writes and reads its records
}
