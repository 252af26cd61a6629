/// An example of docs/guide.
module org.example.quotes {
    requires org.ibidem.core;

    opens org.example.quotes to
            org.ibidem.serial; // which writes and reads its records
}
