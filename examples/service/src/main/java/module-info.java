/// An example of docs/guide.
module org.example.service {
    requires org.ibidem.core;
}
